"""The options of configure that the recipe for Spack gives: spack_stand_in.py PACKAGE.PY VARIANT...

Spack is not needed: a stand-in for its module offers what recipes use, and notes the dependencies.  Prints the options,
then the dependencies, one a line.  A VARIANT is as in a spec: +mpi, cuda_arch=80,90."""

import sys
import types


class Variant:
    def __init__(self, value):
        self.value = value


class Spec:
    def __init__(self, words):
        self.words = set(words)
        self.variants = {word.split("=")[0]: Variant(word.split("=")[1].split(",")) for word in words if "=" in word}

    def __contains__(self, word):
        name = word[1:]
        return word in self.words if word[0] == "+" else "+" + name not in self.words

    def __getitem__(self, name):
        return types.SimpleNamespace(prefix="/of/" + name)


def main(path, *words):
    spec, dependencies = Spec(words), []

    def depends_on(name, when=None, **options):
        if when is None or when in spec:
            dependencies.append(name)

    def ignore(*arguments, **options):
        pass
    module = types.ModuleType("spack.package")
    module.depends_on = depends_on
    module.license = module.version = module.variant = module.conflicts = module.which = module.make = ignore
    module.AutotoolsPackage = type("AutotoolsPackage", (), {})
    module.CudaPackage = type("CudaPackage", (), {})
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), module
    recipe = {"__file__": path}
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), recipe)
    package = recipe["Kiln"]()
    package.spec = spec
    print("\n".join(package.configure_args() + dependencies + ["from " + package.git]))


if __name__ == "__main__":
    main(*sys.argv[1:])
