"""PyRQA: recurrence quantification of two series; prints what it found."""
import numpy as np
from pyrqa.analysis_type import Classic
from pyrqa.computation import RPComputation, RQAComputation
from pyrqa.metric import EuclideanMetric, MaximumMetric, TaxicabMetric
from pyrqa.neighbourhood import FixedRadius
from pyrqa.settings import Settings
from pyrqa.time_series import TimeSeries

series = np.sin(np.arange(3_000) / 7) + 0.1 * np.random.default_rng(6).random(3_000)
for metric in (EuclideanMetric, MaximumMetric, TaxicabMetric):
    settings = Settings(TimeSeries(series, embedding_dimension=3, time_delay=2), analysis_type=Classic,
                        neighbourhood=FixedRadius(0.4), similarity_measure=metric, theiler_corrector=1)
    found = RQAComputation.create(settings, verbose=False).run()
    for name in ("recurrence_rate", "determinism", "longest_diagonal_line", "entropy_diagonal_lines", "trapping_time"):
        print(metric.__name__, name, repr(getattr(found, name)), flush=True)
    plot = RPComputation.create(settings).run().recurrence_matrix
    print(metric.__name__, plot.sum())
