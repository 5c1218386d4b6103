"""What Kiln writes, as NumPy arrays: records of runs, gauge configurations, probes.

    import kiln
    run = kiln.Ensemble("ensembles/quickstart")
    p = run.record.after_warm_up()["plaquette.average"]
    u = kiln.read_configuration(run.configurations()[-1]).links       # [t, z, y, x, mu, row, column], complex

Directions mu = 0, 1, 2, 3 are x, y, z, t; docs/conventions.md has all conventions, docs/python.md a tour."""

from .configuration import Configuration, ConfigurationError, read_configuration
from .ensemble import Ensemble
from .observables import link_trace, plaquette, unitarity
from .probe import read_array
from .record import Record, read_record

__all__ = ["Configuration", "ConfigurationError", "Ensemble", "Record", "link_trace", "plaquette", "read_array",
           "read_configuration", "read_record", "unitarity"]
