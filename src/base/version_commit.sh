#!/bin/sh
# version_commit.sh - prints the commit of a source folder.
#
#     version_commit.sh SOURCE_FOLDER RELEASE
#
# In a git clone what git says: "1a2b3c4", with "-dirty" where files differ from it.  In the source of a tarball the
# line of its file COMMIT, which `make dist` wrote there with this script.  Otherwise the release.
source_folder=$1
release=$2

if [ -e "$source_folder/.git" ] && git -C "$source_folder" describe --always --dirty 2>/dev/null; then
    exit
fi
commit=$(head -n 1 "$source_folder/COMMIT" 2>/dev/null)
echo "${commit:-$release}"
