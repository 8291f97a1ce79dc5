"""The explicit catalogue of policies, and policies from elsewhere: a Python file, or an installed package.

A new policy is a new file under engine/schedulers and one line here.
"""

from __future__ import annotations

import ast
import importlib.util
import warnings
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from engine.errors import SchedulerError
from engine.messages import msg
from engine.schedulers.admission.admit_all import ADMIT_ALL
from engine.schedulers.admission.am_limit import AM_LIMIT
from engine.schedulers.admission.am_share import AM_SHARE
from engine.schedulers.admission.autoadmin import AUTOADMIN
from engine.schedulers.admission.reserve import RESERVE
from engine.schedulers.order.batch_finish import BATCH_FINISH
from engine.schedulers.order.capacity import CAPACITY_ORDER
from engine.schedulers.order.drf import DRF_ORDER
from engine.schedulers.order.fair import FAIR_ORDER
from engine.schedulers.order.ffd_dp import FFD_DP
from engine.schedulers.order.fifo import FIFO_ORDER
from engine.schedulers.order.fresh import FRESH
from engine.schedulers.order.haste import HASTE
from engine.schedulers.order.haste_a import HASTE_A
from engine.schedulers.order.omo import OMO
from engine.schedulers.order.priority_capacity import PRIORITY_CAPACITY
from engine.schedulers.order.priority_fair import PRIORITY_FAIR
from engine.schedulers.order.priority_fifo import PRIORITY_FIFO
from engine.schedulers.order.saf import SAF
from engine.schedulers.order.weighted import WEIGHTED
from engine.schedulers.policy import ADMISSION, ORDER, REDUCE_START, Policy
from engine.schedulers.reduce_start.lazy_start import LAZY_START
from engine.schedulers.reduce_start.ramp_up import RAMP_UP
from engine.schedulers.reduce_start.slowstart import SLOWSTART
from engine.schedulers.view import View

ORDERS = (
    FIFO_ORDER, FAIR_ORDER, DRF_ORDER, CAPACITY_ORDER, FFD_DP, HASTE, HASTE_A, SAF,
    PRIORITY_FIFO, PRIORITY_FAIR, PRIORITY_CAPACITY, BATCH_FINISH, FRESH, OMO, WEIGHTED,
)  # fmt: skip
CATALOGUE: dict[str, dict[str, Policy]] = {
    role: {policy.name: policy for policy in policies}
    for role, policies in {
        ORDER: ORDERS,
        REDUCE_START: (SLOWSTART, LAZY_START, RAMP_UP),
        ADMISSION: (ADMIT_ALL, AM_SHARE, AM_LIMIT, RESERVE, AUTOADMIN),
    }.items()
}
# The named arrays of all policies here: name -> its kind. One name has one kind, whichever
# policies have it.
ARRAY_KINDS = {
    array.name: array.kind
    for policies in CATALOGUE.values()
    for policy in policies.values()
    for array in policy.arrays.values()
}
ENTRY_POINT_GROUP = "gantry.orders"  # entry points of packages: NAME = package.module:POLICY


def load(path: str) -> Policy:
    """The Policy that a Python file defines; SchedulerError when it can't be read or defines none."""
    try:
        open(path, "rb").close()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SchedulerError(msg("schedulers.catalogue.cant_be_read", path=path, reason=reason)) from None
    try:
        spec = importlib.util.spec_from_file_location(Path(path).stem, path)
        if spec is None or spec.loader is None:
            raise ImportError("its name must end in .py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise SchedulerError(
            msg("schedulers.catalogue.cant_be_loaded", path=path, name=type(error).__name__, error=error)
        ) from None
    orders = [value for value in vars(module).values() if isinstance(value, Policy) and value.role == ORDER]
    defined_here = [policy for policy in orders if policy.function.__module__ == module.__name__]
    if len(defined_here) != 1:
        raise SchedulerError(
            f"{path}: must define one Policy of role 'order' with a function of its own, it defines "
            f"{len(defined_here)}"
        )
    _check(path, defined_here[0])
    return defined_here[0]


def _check(path: str, policy: Policy) -> None:
    """SchedulerError for a name that is taken, or a function that writes what is the engine's."""
    if any(policy.name in names for names in CATALOGUE.values()):
        raise SchedulerError(
            msg("schedulers.catalogue.name_taken_by_policy_catalogue_give", path=path, name=policy.name)
        )
    for node in ast.walk(ast.parse(Path(path).read_text("utf-8"))):
        if not isinstance(node, ast.Subscript | ast.Attribute) or not isinstance(node.ctx, ast.Store):
            continue
        written = node.value if isinstance(node, ast.Subscript) else node  # X[...] =, view.X[...] =, view.X =
        target = getattr(written, "id", None) or getattr(written, "attr", None)
        if target in View.layout.places:
            raise SchedulerError(
                msg(
                    "schedulers.catalogue.line_writes_which_engines_policy_may",
                    path=path,
                    lineno=node.lineno,
                    target=target,
                )
            )


def installed(catalogue: dict[str, dict[str, Policy]]) -> dict[str, Policy]:
    """Orders of installed packages by name; one that can't be used is left out with a warning that names its
    package.
    """
    orders: dict[str, Policy] = {}
    for point in entry_points(group=ENTRY_POINT_GROUP):
        try:
            policy = _load_entry_point(point)
            if any(policy.name in names for names in (*catalogue.values(), orders)):
                raise SchedulerError(
                    msg("schedulers.catalogue.its_scheduler_named_but_name_already", name=policy.name)
                )
            orders[policy.name] = policy
        except SchedulerError as error:
            warnings.warn(
                msg(
                    "schedulers.catalogue.package_entry_point",
                    name=point.dist.name if point.dist else point.module,
                    name2=point.name,
                    error=error,
                ),
                stacklevel=2,
            )
    return orders


def _load_entry_point(point: EntryPoint) -> Policy:
    try:
        policy = point.load()
    except Exception as error:
        raise SchedulerError(
            msg(
                "schedulers.catalogue.cant_be_loaded_2",
                value=point.value,
                name=type(error).__name__,
                error=error,
            )
        ) from None
    if not isinstance(policy, Policy) or policy.role != ORDER:
        raise SchedulerError(msg("schedulers.catalogue.must_be_policy_role_order", value=point.value))
    return policy


CATALOGUE[ORDER].update(installed(CATALOGUE))
