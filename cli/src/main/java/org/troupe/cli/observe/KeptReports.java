package org.troupe.cli.observe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.deployment.runs.EndedRuns;
import org.troupe.deployment.runs.EndedRuns.KeptReport;

/** Names the kept reports of ended runs, for messages about a run that is not there. */
final class KeptReports {

  private static final int MOST_NAMED = 5;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());

  private KeptReports() {}

  /** Returns a sentence that names the newest ones, and says how many more there are. */
  static String sentence() {
    List<KeptReport> kept;
    try {
      kept = EndedRuns.reported();
    } catch (IOException e) {
      return unlisted(e);
    } catch (UncheckedIOException e) {
      return unlisted(Objects.requireNonNull(e.getCause(), "never without a cause"));
    }
    if (kept.isEmpty()) {
      return "no report of an ended run is kept; 'troupe report' writes one of a running one";
    }
    var newest =
        kept.stream()
            .limit(MOST_NAMED)
            .map(each -> "%s (%s)".formatted(each.run(), TIME.format(each.written())))
            .collect(Collectors.joining(", "));
    var more = kept.size() - MOST_NAMED;
    return "reports of ended runs are kept in %s: %s%s"
        .formatted(EndedRuns.reports(), newest, more > 0 ? " and " + more + " more" : "");
  }

  private static String unlisted(IOException failure) {
    return "the reports of ended runs in '%s' cannot be listed: %s"
        .formatted(EndedRuns.reports(), AtomicFile.reason(failure));
  }
}
