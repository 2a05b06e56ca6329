package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.deployment.watch.WatchRecord.Begin;
import org.troupe.deployment.watch.WatchRecord.Failure;
import org.troupe.deployment.watch.WatchRecord.Method;
import org.troupe.deployment.watch.WatchRecord.Pair;
import org.troupe.deployment.watch.WatchRecord.Round;

/** Counters of several scrapes, between which the program drops rows. */
class CountedRowsTest {

  private static final String LABELS = "{run=\"r1\",from=\"\",to=\"\",driver=\"tls\"}";

  private final CountedRows counted = new CountedRows();

  private static Begin begin(String run) {
    return new Begin(1, "17", run, "P", 1, true);
  }

  private static Pair pair(String peer, long bytes) {
    return pair(peer, "tls", bytes);
  }

  private static Pair pair(String peer, String driver, long bytes) {
    return new Pair("a1", peer, driver, 1, bytes, 0, 0);
  }

  private static Method method(String node, long served) {
    return new Method(node, "Solver", "step()", served, served, 0, null, null);
  }

  private static Failure failure(String call, long count) {
    return new Failure("a1", "one-way", call, "E", "", count, 1, 2, "");
  }

  private String scrape(WatchRecord... rows) {
    return GridMetrics.of(counted.with(List.of(rows)));
  }

  @Test
  void doNotFallWhenTheProgramDropsARow() {
    var end = new Round("c-1", 1, 2, 0, 0.01, 9, 0);
    scrape(begin("r1"), pair("b1", 500), pair("b2", 70), method("a1", 8), failure("x()", 3), end);

    var later = scrape(begin("r1"), pair("b2", 90), method("b1", 4), failure("y()", 1), end);

    assertThat(later.lines())
        .contains(
            "troupe_link_bytes_total" + LABELS + " 590",
            "troupe_calls_total{run=\"r1\",class=\"Solver\",method=\"step()\"} 12",
            "troupe_failures_total{run=\"r1\",cause=\"one-way\"} 4",
            "troupe_watch_rows{run=\"r1\"} 9");
  }

  @Test
  void countARowThatComesAgainOnce() {
    scrape(begin("r1"), pair("b1", 500));
    scrape(begin("r1"), pair("b2", 70));

    assertThat(scrape(begin("r1"), pair("b1", 510)).lines())
        .contains("troupe_link_bytes_total" + LABELS + " 580");
  }

  @Test
  void doNotFallWhenAMethodBecomesBusierThanOthers() {
    var other = "{run=\"r1\",class=\"_OTHER\",method=\"_OTHER\"} ";
    var usual = "{run=\"r1\",class=\"T7\",method=\"m()\"} 100";

    assertThat(scrapeOfManyMethods(3).lines())
        .contains("troupe_calls_total" + usual, "troupe_calls_total" + other + 3)
        .contains("troupe_call_failures_total" + other + 2);
    assertThat(scrapeOfManyMethods(5000).lines())
        .contains("troupe_calls_total" + usual, "troupe_calls_total" + other + 5000)
        .contains("troupe_call_failures_total" + other + 2);
  }

  /** Returns an answer with one more method than can have a series; that one has two failures. */
  private String scrapeOfManyMethods(long servedByLast) {
    List<WatchRecord> rows = new ArrayList<>(List.of(begin("r1")));
    for (var i = 0; i < GridMetrics.MOST_METHODS; i++) {
      rows.add(new Method("a1", "T" + i, "m()", 100, 100, 0, null, null));
    }
    rows.add(new Method("a1", "Z", "m()", servedByLast, servedByLast, 2, null, null));
    return GridMetrics.of(counted.with(rows));
  }

  @Test
  void stayWithTheDriverThatHasSentThem() {
    var tcp = LABELS.replace("tls", "tcp");

    scrape(begin("r1"), pair("b1", "tls", 500), pair("b2", "tls", 7));
    assertThat(scrape(begin("r1"), pair("b1", "tcp", 600), pair("b2", "tls", 8)).lines())
        .contains(
            "troupe_link_bytes_total" + LABELS + " 508", "troupe_link_bytes_total" + tcp + " 100");
    assertThat(scrape(begin("r1"), pair("b1", "tls", 650)).lines())
        .contains(
            "troupe_link_bytes_total" + LABELS + " 558", "troupe_link_bytes_total" + tcp + " 100");
    assertThat(scrape(begin("r1"), pair("b1", "tcp", 651)).lines())
        .contains(
            "troupe_link_bytes_total" + LABELS + " 558", "troupe_link_bytes_total" + tcp + " 101");
  }

  @Test
  void areThoseOfOneRun() {
    scrape(begin("r2"), pair("b1", 500));

    assertThat(scrape(begin("r1"), pair("b1", 7)).lines())
        .contains("troupe_link_bytes_total" + LABELS + " 7");
  }
}
