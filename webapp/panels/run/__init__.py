"""Run and its progress, the headline of the result, recent runs, the scenario compared with."""
