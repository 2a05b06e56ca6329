package org.troupe.mpj.matching;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError.Failure;

/** Finds ranks that wait for each other, and can prove it. Thread-safe. */
final class RankDeadlockSearch {

  /*
   * Design: two rounds of questions
   *
   * A rank that has waited for some time asks each rank that it waits for whether that waits, and for which ranks, and so
   * on (ASKED). If one of them does not wait, the search ends, to be repeated later. Otherwise the ranks that have
   * answered are closed: each waits for some of them only. Then all are asked again, with how many packets they have sent
   * to and received from each other. If each of them is still in the same wait, and for the same ranks, there was a moment
   * between the two rounds at which all waited; if, besides, all packets that were sent among them have been received,
   * nothing can end any of these waits. (F. Mattern, Algorithms for distributed termination detection, Distributed
   * Computing 2, 1987.)
   *
   * The ranks are compared because a wait on a board names one of the members that are missing. That one may do its part,
   * which is not a packet, after the first answer; then the wait goes on for a member that was never asked.
   *
   * Lost ranks are not asked, and nothing is expected of them: each wait that needs one of them alone has failed, and a
   * receive from any rank goes on for the others.
   *
   * Packets are counted by their sender before they leave, and by their receiver after their effect. A rank does not count
   * as waiting while it transmits data or has several waits, or if it may have other threads: one that it has started,
   * or that has called the package, or one of the common pool that runs. Threads that other code has made cannot be known
   * before their first call.
   *
   * All ranks of a deadlock search for it; the lowest one tells the others, so a search that finds a lower rank ends.
   * The verdict (FAIL) names the wait by its number, so it does not hit a later one.
   *
   * Questions and answers are notices, which are answered on readers of links.
   */
  private static final String ASKED = "wait?";
  private static final String ANSWER = "wait";
  private static final String FAIL = "deadlock";
  private static final String SEPARATOR = ",";
  private static final int MOST_NAMED = 8;

  private final MessageEngine engine;
  private final PacketCounts counts;
  private volatile BooleanSupplier isAlone = () -> false; // the main thread of the rank

  // Guarded by this
  private long searches;
  private @Nullable Search current;

  RankDeadlockSearch(MessageEngine engine, PacketCounts counts) {
    this.engine = engine;
    this.counts = counts;
  }

  /** Sets what tells whether the rank has no other thread than the waiting one. */
  void onThreads(BooleanSupplier isAloneNow) {
    isAlone = isAloneNow;
  }

  /** What a rank has answered. */
  private record Answer(long number, BitSet awaited, String description) {}

  private static final class Search {
    private final long id;
    private final Map<Integer, Answer> answers = new TreeMap<>();
    private final BitSet outstanding = new BitSet();
    private boolean isSecond;
    private final Map<Integer, long[][]> packets = new TreeMap<>(); // sent and received, by member

    Search(long id) {
      this.id = id;
    }
  }

  private record Question(int to, String[] words) {}

  /** Begins a search, if a wait is the only one of the rank. */
  void begin(RankWait wait) {
    var state = own();
    if (state == null || state.number != wait.number()) {
      return;
    }
    List<Question> questions;
    synchronized (this) {
      var made = new Search(++searches);
      current = made;
      questions = answered(made, engine.rank(), state);
    }
    ask(questions);
  }

  private void ask(List<Question> questions) {
    questions.forEach(each -> engine.notify(each.to, each.words));
  }

  /** Returns the state of this rank; {@code null} if it does not wait, or not provably. */
  private @Nullable Answer own() {
    engine.takeFromBoard();
    var wait =
        engine.outgoing().isTransmitting() || !isAlone.getAsBoolean()
            ? null
            : engine.waits().onlyStuck();
    if (wait == null) {
      return null;
    }
    var awaited = new BitSet();
    wait.addAwaited(awaited);
    if (awaited.isEmpty()) {
      return null; // unknown
    }
    awaited.clear(engine.rank());
    var lost = engine.removeLost(awaited); // they send no more, and answer no question
    return new Answer(wait.number(), awaited, RankWaits.describe(wait) + withoutLost(lost));
  }

  private String withoutLost(BitSet lost) {
    if (lost.isEmpty()) {
      return "";
    }
    var names =
        lost.stream()
            .limit(MOST_NAMED)
            .mapToObj(engine.network()::describe)
            .collect(Collectors.joining(", "));
    return ", and no longer for "
        + names
        + (lost.cardinality() > MOST_NAMED ? " and others" : "")
        + (lost.cardinality() == 1 ? ", which is lost" : ", which are lost");
  }

  /** Takes a notice, if it is one of a search. */
  boolean take(int from, String[] words) {
    switch (words[0]) {
      case ASKED -> answer(from, words);
      case ANSWER -> {
        List<Question> questions;
        synchronized (this) {
          questions = took(from, words);
        }
        ask(questions);
      }
      case FAIL -> {
        var wait = engine.waits().onlyStuck();
        if (wait != null && wait.number() == Long.parseLong(words[1])) {
          wait.fail(new Failure(ErrorClass.OTHER, words[2]));
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void answer(int from, String[] words) {
    var state = own();
    var members = numbers(words[2]);
    engine.notify(
        from,
        ANSWER,
        words[1],
        state == null ? "" : Long.toString(state.number),
        state == null ? "" : text(state.awaited.stream().toArray()),
        state == null ? "" : state.description,
        words[2],
        text(counts.sent(members)),
        text(counts.received(members)));
  }

  private static String text(int[] numbers) {
    var all = new long[numbers.length];
    for (var i = 0; i < all.length; i++) {
      all[i] = numbers[i];
    }
    return text(all);
  }

  private static String text(long[] numbers) {
    var text = new StringBuilder();
    for (var each : numbers) {
      text.append(text.isEmpty() ? "" : SEPARATOR).append(each);
    }
    return text.toString();
  }

  private static int[] numbers(String text) {
    var all = longs(text);
    var numbers = new int[all.length];
    for (var i = 0; i < all.length; i++) {
      numbers[i] = (int) all[i];
    }
    return numbers;
  }

  private static long[] longs(String text) {
    if (text.isEmpty()) {
      return new long[0];
    }
    var parts = text.split(SEPARATOR, -1);
    var all = new long[parts.length];
    for (var i = 0; i < all.length; i++) {
      all[i] = Long.parseLong(parts[i]);
    }
    return all;
  }

  private List<Question> took(int from, String[] words) {
    var search = current;
    if (search == null
        || !words[1].equals(Long.toString(search.id))
        || !search.outstanding.get(from)) {
      return List.of(); // of an earlier search
    }
    if (words[2].isEmpty() || from < engine.rank()) {
      current = null; // it goes on, or searches itself
      return List.of();
    }
    search.outstanding.clear(from);
    var awaited = new BitSet();
    for (var each : numbers(words[3])) {
      if (each >= 0 && each < engine.network().size()) {
        awaited.set(each);
      }
    }
    var answer = new Answer(Long.parseLong(words[2]), awaited, words[4]);
    return search.isSecond
        ? confirmed(search, from, answer, new long[][] {longs(words[6]), longs(words[7])})
        : answered(search, from, answer);
  }

  /** Takes an answer of the first round; returns the next questions. Guarded by this. */
  private List<Question> answered(Search search, int by, Answer answer) {
    search.answers.put(by, answer);
    List<Question> questions = new ArrayList<>();
    var awaited = answer.awaited;
    for (var each = awaited.nextSetBit(0); each >= 0; each = awaited.nextSetBit(each + 1)) {
      if (!search.answers.containsKey(each) && !search.outstanding.get(each)) {
        search.outstanding.set(each);
        questions.add(new Question(each, new String[] {ASKED, Long.toString(search.id), ""}));
      }
    }
    if (!search.outstanding.isEmpty()) {
      return questions;
    }
    search.isSecond = true;
    var members = members(search);
    for (var each : members) {
      search.outstanding.set(each);
      questions.add(
          new Question(each, new String[] {ASKED, Long.toString(search.id), text(members)}));
    }
    return questions;
  }

  private static int[] members(Search search) {
    return search.answers.keySet().stream().mapToInt(each -> each).toArray();
  }

  /** Takes an answer of the second round; returns the verdicts. Guarded by this. */
  private List<Question> confirmed(Search search, int by, Answer answer, long[][] packets) {
    var first = search.answers.get(by);
    var members = members(search);
    if (first == null
        || first.number != answer.number
        || !first.awaited.equals(answer.awaited)
        || packets[0].length != members.length
        || packets[1].length != members.length) {
      current = null;
      return List.of();
    }
    search.packets.put(by, packets);
    if (!search.outstanding.isEmpty()) {
      return List.of();
    }
    current = null;
    for (var i = 0; i < members.length; i++) {
      for (var j = 0; j < members.length; j++) {
        var sent = Objects.requireNonNull(search.packets.get(members[i]), "answered")[0][j];
        var received = Objects.requireNonNull(search.packets.get(members[j]), "answered")[1][i];
        if (sent != received) {
          return List.of(); // something is under way
        }
      }
    }
    var sentence = sentence(members, search.answers.values());
    return search.answers.entrySet().stream()
        .map(
            each ->
                new Question(
                    each.getKey(),
                    new String[] {FAIL, Long.toString(each.getValue().number), sentence}))
        .toList();
  }

  private String sentence(int[] members, Collection<Answer> answers) {
    var text =
        new StringBuilder(
            members.length == 1
                ? "this wait can never end, since no other rank that is left takes part in it:"
                : "these ranks wait for each other, and nothing is under way:");
    var i = 0;
    for (var each : answers) {
      if (i == MOST_NAMED) {
        text.append("\n  - and ").append(members.length - i).append(" more");
        break;
      }
      text.append("\n  - ")
          .append(engine.network().describe(members[i++]))
          .append(" waits for ")
          .append(each.description);
    }
    return text.append(
            "\nlet one of them send before it receives, or begin receives by Irecv; check ranks and"
                + " tags")
        .toString();
  }
}
