"""Urgency: how much a job's running reduces wait for its maps (haste; reconstructed, formulas §2.2-2.3).

Rules (confirmed)  1 the further the maps, the more urgent they are  2 so too the more its reduces hold
                   3 reduces before maps iff what its reduces hold / what all its tasks hold < map progress
Equations (by the tokens that were left of the paper's text; their operators are ours)
    U^m = A^m/T^m x A^r R^r        U^r = U^m x A^m/T^m x (O^m R^m + O^r R^r) / (O^r R^r)
with A assigned, T all, O running tasks, R the size of one. The paper's common denominator cancels in the
normalisation. Ours: where no reduce has finished A^r R^r and O^r R^r cancel, also at 0 (its limit); where no reduce
runs but some have finished, U^r = U^m.
"""


def urgency(placed_maps, maps, placed_reduces, running_maps, running_reduces, map_size, reduce_size):
    """(U^m, U^r) of one job."""
    progress = placed_maps / maps
    of_maps = progress * (placed_reduces * reduce_size)
    held = running_maps * map_size + running_reduces * reduce_size
    if running_reduces == placed_reduces:
        return of_maps, progress * progress * held
    if running_reduces * reduce_size == 0.0:
        return of_maps, of_maps
    return of_maps, of_maps * progress * held / (running_reduces * reduce_size)
