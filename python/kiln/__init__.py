"""What Kiln writes, as NumPy arrays: records of runs, gauge configurations, probes.

    import kiln
    run = kiln.Ensemble("ensembles/quickstart")
    p = run.record.after_thermalization()["plaquette.average"]
    t0 = kiln.flow_scales(run.record.after_thermalization())["t0"]
    u = kiln.read_configuration(run.configurations()[-1]).links       # [t, z, y, x, mu, row, column], complex

Directions mu = 0, 1, 2, 3 are x, y, z, t; docs/conventions.md has all conventions, docs/python.md a tour."""

import os

from .condensates import ChiralSusceptibility, chiral_susceptibility, subtracted_condensate
from .configuration import Configuration, read_configuration
from .conversion import to_gvar, to_pyerrors
from .correlators import MassInTime, baryon_mass, correlator, effective_mass, pcac_mass
from .ensemble import Ensemble
from .errors import ConfigurationError, MissingPackage
from .loops import (Potential, function_of_means, improved_distance, polyakov_correlator, static_potential,
                    susceptibility, wilson_loops)
from .mesons import MesonFit, decay_constant, fit_meson
from .observables import link_trace, plaquette, unitarity
from .probe import read_array
from .propagators import Propagator, read_propagator
from .record import Record, read_record
from .results import Results, read_results
from .scales import Scale, flow_scales, scale_ratio
from .states import StatesFit, fit_states
from .statistics import Mean, correlated_mean
from .status import Member, ProgramError, result_members
from .streams import join_streams

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "VERSION")) as _file:
    __version__ = _file.read().strip()

__all__ = ["ChiralSusceptibility", "Configuration", "ConfigurationError", "Ensemble", "MassInTime", "Mean", "Member",
           "MesonFit", "MissingPackage", "Potential", "ProgramError", "Propagator", "Record", "Results", "Scale",
           "StatesFit", "baryon_mass", "chiral_susceptibility", "correlated_mean", "correlator", "decay_constant",
           "effective_mass", "fit_meson", "fit_states", "flow_scales", "function_of_means", "improved_distance",
           "join_streams", "link_trace", "pcac_mass", "plaquette", "polyakov_correlator", "read_array",
           "read_configuration", "read_propagator", "read_record", "read_results", "result_members", "scale_ratio",
           "static_potential", "subtracted_condensate", "susceptibility", "to_gvar", "to_pyerrors", "unitarity",
           "wilson_loops"]
