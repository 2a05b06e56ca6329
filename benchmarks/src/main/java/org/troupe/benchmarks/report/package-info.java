/**
 * Rows as text, as CSV and as charts.
 *
 * <p>{@link org.troupe.benchmarks.report.ResultTable} prints rows, {@link
 * org.troupe.benchmarks.report.RowCharts} draws them as PNG files. This package knows nothing but
 * rows and their figures.
 */
@NullMarked
package org.troupe.benchmarks.report;

import org.jspecify.annotations.NullMarked;
