"""Why a file is rejected, or what is missing."""


class ConfigurationError(Exception):
    """Why a file is rejected: file, record, what was expected, what was found."""


class MissingPackage(ImportError):
    """An optional package that a function needs is not installed."""


def optional_package(name, purpose):
    """The module, or MissingPackage that says what needs it and how to install it."""
    import importlib
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingPackage("%s needs the Python package %s, which cannot be imported (%s): pip install %s"
                             % (purpose, name, error, name), name=name) from error
