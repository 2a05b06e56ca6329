package org.troupe.replicas;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One member's part in the order of a replicated object's writes. Touched under its owner's lock.
 */
final class WriteOrder {

  /*
   * Design: one order of writes by a sequencer, in views
   *
   * Views. A view is a membership. Its first member is its sequencer, and members keep their places from view to view,
   * so the oldest member that lives is the sequencer. All messages of writes belong to one view, and are taken in no
   * other. A join, a leave and a loss of any member are one event: a change of the view.
   *
   * Writes in a view. The origin sends the write to all members. The sequencer gives it the next number, and
   * sends the number to all. A member applies the change n + 1 when it has applied n and has both number and arguments.
   *
   * Change of the view. The oldest living member begins it when it hears of a loss, or, if it is the sequencer, of a
   * newcomer. It sends Prepare with the next view: all members that live, and at most one newcomer. A member that takes
   * Prepare freezes its log and answers with a Report of it. When all members of the prepared view that live have
   * reported, the coordinator sends Install with all numbered changes that any of them may lack, and
   * the newcomer gets the object as well. Each member goes on from the installed view. An own write that is not among the
   * changes is proposed again if the sequencer that should have numbered it is still a member, as then it has no number.
   * Otherwise it is lost: the former sequencer may have applied it, or not.
   *
   * End of the object. It is the last change: the sequencer numbers none behind it, and adds no newcomer. Members take
   * part until all of them have applied it ("over"), so a loss meanwhile is a loss like any other. A member that has been
   * asked for the end asks the sequencer of each view, until it has applied it.
   *
   * States of a member, by the last view that it was asked to prepare and the last one that it has installed:
   *   newcomer   has installed none: it has no state, and proposes nothing
   *   preparing  prepared > installed: its log is frozen; it applies nothing, and writes wait
   *   active     prepared = installed
   *
   * Assumptions. Messages of one member to another arrive in the order sent, if they arrive. A loss that is told is
   * final, and each loss of a member is told some time to all members that were told of its existence ("met"). Late messages of a
   * lost member may still arrive. A newcomer asks all members that there are; the next one comes when this one has
   * its state or is lost, so that all possible sequencers know each newcomer.
   *
   * Invariants.
   * 1. A view of a younger member is above all views of older ones, which are lost, so their late messages change
   *    nothing. A view is installed only when all living members have prepared it, and a coordinator counts on from
   *    the last one that it has prepared itself. So installed views have rising numbers.
   * 2. Each living member with a state is in the prepared view of each living member with a state. For
   *    Install follows only when all living members know the view with the newcomer in it. So the coordinator asks all that may
   *    have applied something, and none of them takes changes of a former sequencer after its report.
   * 3. A view begins with all numbered changes that a living member has, and with those that a lost one may have
   *    applied and a living one knows. It suffices to join the reports of the members that installed the newest view: each
   *    change of an earlier one was reported by its living holders for that view. Within a view one sequencer gives the
   *    numbers, so the logs agree.
   * 4. Changes are dropped from logs only if they are stable: all members of the view have applied them. Those
   *    that are part of a newcomer's state come to it all the same, as it may be the only member that can pass them on.
   * 5. Only the newest member can be without a state. A sequencer adds the next newcomer by a view for which the one
   *    before has reported; its Install has come before that view's Prepare. A member that succeeds adds none at once.
   *    So the coordinator has a state, unless all states are lost, and the object with them.
   * 6. The index of a newcomer is the number of the view that adds it, so no two members of installed views share one (by 1).
   *
   * Without threads and clocks. Each method changes the state, and may add messages to "out", which the owner sends
   * in their order.
   *
   * Sources: K. Birman and T. Joseph, Exploiting virtual synchrony in distributed systems, SOSP 1987 (views, flush);
   * M. F. Kaashoek and A. S. Tanenbaum, Group communication in the Amoeba distributed operating system, ICDCS 1991
   * (arguments to all, numbers from a sequencer); B. Oki and B. Liskov, Viewstamped replication, PODC 1988 (the
   * newest view's log is the one that counts).
   */

  /** A message and the member that is to get it. */
  record Envelope(ReplicaMember to, OrderMessage message) {}

  /** An own write that is not applied, and the view in which it was proposed. */
  private record Pending(Change.Write write, View.Id view) {}

  /** After how many changes a member reports what it has applied. */
  private static final int REPORTED = 64;

  final ArrayDeque<Envelope> out = new ArrayDeque<>();

  /** The counts of own writes that were found lost. */
  final List<Long> lost = new ArrayList<>();

  /** The members and newcomers that have become known, whose losses are to be told from now on. */
  final List<ReplicaMember> met = new ArrayList<>();

  private final ReplicaMember self;
  private int me = -1;
  private View prepared = View.NONE; // or installed, if it is the same
  private View.Id installed = View.Id.NONE;
  private final Set<ReplicaMember> known = new HashSet<>(); // all that were ever met
  private final Set<ReplicaMember> dead = new HashSet<>();
  private final Set<ReplicaMember> newcomers = new LinkedHashSet<>(); // that have asked to be added
  private final TreeMap<Long, Change> log =
      new TreeMap<>(); // changes that are not stable, by number
  private final Map<Change.Id, Change.Write> proposals = new HashMap<>(); // not in the log
  private final Map<Change.Id, Long> awaited = new HashMap<>(); // without arguments in the log
  private final Map<Long, Pending> pending = new TreeMap<>();
  private long applied;
  private long reported;
  private boolean isClosing; // has been asked for the end of the object
  private boolean isClosed; // has applied it
  private boolean isOver; // all members have

  // Of the sequencer.
  private long last; // number
  private long stable;
  private final Map<Integer, Long> progress = new HashMap<>(); // of the members

  // Of the coordinator of the next view.
  private final Map<Integer, OrderMessage.Report> reports = new TreeMap<>();

  private WriteOrder(ReplicaMember self) {
    this.self = self;
    known.add(self);
  }

  /** Returns the part of the first member of an object. */
  static WriteOrder ofFirst(ReplicaMember self) {
    var order = new WriteOrder(self);
    order.me = 0;
    order.prepared = new View(0, new TreeMap<>(Map.of(0, self)));
    order.installed = order.prepared.id();
    return order;
  }

  /** Returns the part of a newcomer that asks all members to add it. */
  static WriteOrder ofNewcomer(ReplicaMember self, Collection<ReplicaMember> members) {
    var order = new WriteOrder(self);
    for (var member : members) {
      order.meet(member);
      order.out.add(new Envelope(member, new OrderMessage.Join(self)));
    }
    return order;
  }

  boolean hasState() {
    return !installed.equals(View.Id.NONE);
  }

  int me() {
    return me;
  }

  long applied() {
    return applied;
  }

  /** Returns the last view that was prepared or installed. */
  View view() {
    return prepared;
  }

  /** Returns whether this member waits for a state and all who could give one are lost. */
  boolean isOrphan() {
    return !hasState()
        && known.stream().allMatch(other -> other.equals(self) || dead.contains(other));
  }

  /**
   * Returns whether the object has ended on all nodes, so that this member has no part any more.
   */
  boolean isOver() {
    return isOver;
  }

  private boolean isActive() {
    return hasState() && prepared.id().equals(installed);
  }

  private boolean isSequencer() {
    return isActive() && installed.sequencer() == me;
  }

  private boolean isPreparing() {
    return hasState() && !isActive() && prepared.id().sequencer() == me;
  }

  private void meet(ReplicaMember member) {
    if (known.add(member)) {
      met.add(member);
    }
  }

  private void post(int member, OrderMessage message) {
    out.add(new Envelope(prepared.address(member), message));
  }

  private void postToOthers(OrderMessage message) {
    for (var member : prepared.members().entrySet()) {
      if (member.getKey() != me && !dead.contains(member.getValue())) {
        out.add(new Envelope(member.getValue(), message));
      }
    }
  }

  // Writes.

  /** Adds an own write. It is proposed now, or in the next view. */
  void propose(long count, int method, @Nullable Object[] arguments) {
    propose(new Change.Write(me, count, method, arguments));
  }

  private void propose(Change.Write write) {
    if (!isActive()) {
      pending.put(write.count(), new Pending(write, View.Id.NONE));
      return;
    }
    pending.put(write.count(), new Pending(write, installed));
    if (isSequencer()) {
      number(write);
    } else {
      proposals.put(write.id(), write);
      postToOthers(new OrderMessage.Proposal(installed, write));
    }
  }

  /** Gives a write the next number. */
  private void number(Change.Write write) {
    // The other members get the arguments of another origin from there.
    number(write, write.origin() == me ? write : write.id());
  }

  /**
   * Gives a change the next number, unless the object ends before it.
   *
   * @param sent what the other members get
   */
  private void number(Change change, Change sent) {
    if (!isEnding()) {
      last++;
      place(last, change);
      postToOthers(new OrderMessage.Numbered(installed, last, sent, stable));
    }
  }

  /** Returns whether the end of the object has a number, as far as this member knows. */
  private boolean isEnding() {
    return isClosed || (!log.isEmpty() && log.lastEntry().getValue() instanceof Change.Close);
  }

  /** Ends the object behind the writes that have numbers. */
  void close() {
    isClosing = true;
    if (isActive()) {
      requestEnd();
    }
  }

  private void requestEnd() {
    if (isSequencer()) {
      var end = new Change.Close();
      number(end, end);
    } else {
      post(installed.sequencer(), new OrderMessage.Closing(installed));
    }
  }

  private void place(long number, Change change) {
    if (change instanceof Change.Id id) {
      var write = proposals.remove(id);
      log.put(number, write == null ? id : write);
      if (write == null) {
        awaited.put(id, number);
      }
    } else {
      log.put(number, change);
    }
  }

  private void proposed(OrderMessage.Proposal proposal) {
    // Its origin may have installed the view that this member has only prepared.
    if (!proposal.view().equals(prepared.id())) {
      return;
    }
    var write = proposal.write();
    var number = awaited.remove(write.id());
    if (number != null) {
      log.put(number, write);
    } else if (isSequencer()) {
      number(write);
    } else if (!isPreparing()) {
      proposals.put(write.id(), write);
    }
  }

  /** Takes a message of another member. */
  void receive(OrderMessage message) {
    switch (message) {
      case OrderMessage.Lost(ReplicaMember member) -> lost(member);
      case OrderMessage.Join(ReplicaMember newcomer) -> asked(newcomer);
      case OrderMessage.Proposal proposal -> proposed(proposal);
      case OrderMessage.Numbered numbered -> {
        if (isActive() && numbered.view().equals(installed)) {
          place(numbered.number(), numbered.change());
          forget(numbered.stable());
        }
      }
      case OrderMessage.Applied(View.Id view, int member, long upTo) -> {
        if (isSequencer() && view.equals(installed)) {
          progress.merge(member, upTo, Math::max);
          settleStable();
        }
      }
      case OrderMessage.Closing(View.Id view) -> {
        if (isSequencer() && view.equals(installed)) {
          requestEnd();
        }
      }
      case OrderMessage.Closed _ -> {
        isOver = true;
        forget(applied);
      }
      case OrderMessage.Prepare(View next) -> {
        if (next.id().compareTo(prepared.id()) > 0) {
          prepare(next);
          post(next.id().sequencer(), report());
        }
      }
      case OrderMessage.Report report -> {
        if (isPreparing() && report.view().equals(prepared.id())) {
          reports.put(report.member(), report);
        }
      }
      case OrderMessage.Install install -> {
        if (!isActive() && install.view().id().equals(prepared.id())) {
          if (install.state() != null && !hasState()) {
            applied = install.state().applied();
          }
          installed(install.view(), install.first(), install.changes());
        }
      }
      case OrderMessage.Refused _, OrderMessage.Hashes _ -> {} // are no part of the order
    }
  }

  // Changes of the view.

  private void asked(ReplicaMember newcomer) {
    var isMember = isActive() && prepared.members().containsValue(newcomer);
    if (!isMember && !dead.contains(newcomer)) {
      meet(newcomer);
      newcomers.add(newcomer);
      changeView();
    }
  }

  private void lost(ReplicaMember member) {
    if (dead.add(member)) {
      newcomers.remove(member);
      changeView();
    }
  }

  /** Begins a change of the view, if it is due and this member's turn. */
  private void changeView() {
    if (!hasState() || isPreparing()) {
      return; // a coordinator goes on when its view is installed
    }
    var living = new TreeMap<>(prepared.members());
    living.values().removeAll(dead);
    if (living.firstKey() != me) {
      return;
    }
    var number = prepared.number() + 1;
    if (isSequencer()) {
      if (!newcomers.isEmpty() && !isEnding()) {
        living.put(number, newcomers.iterator().next());
      } else if (living.size() == prepared.members().size()) {
        return;
      }
    }
    prepare(new View(number, living));
    reports.clear();
    reports.put(me, report());
    postToOthers(new OrderMessage.Prepare(prepared));
  }

  private void prepare(View next) {
    prepared = next;
    proposals.clear();
    awaited.clear(); // late arguments would change the log, which is frozen
    for (var member : next.members().entrySet()) {
      if (member.getValue().equals(self)) {
        me = member.getKey();
      } else {
        meet(member.getValue());
      }
    }
  }

  private OrderMessage.Report report() {
    return new OrderMessage.Report(prepared.id(), me, installed, applied, new TreeMap<>(log));
  }

  /** Returns whether the prepared view is to be installed now: all have reported. */
  boolean isInstallDue() {
    return isPreparing()
        && prepared.members().entrySet().stream()
            .allMatch(each -> reports.containsKey(each.getKey()) || dead.contains(each.getValue()));
  }

  /** Returns whether a member of the prepared view needs a copy of the object. */
  boolean needsState() {
    return reports.values().stream().anyMatch(this::needsState);
  }

  private boolean needsState(OrderMessage.Report report) {
    return isOfNewcomer(report) && !dead.contains(prepared.address(report.member()));
  }

  /** Leaves the newcomer out of the prepared view, as there is no state for it; it gives up. */
  void refuse(String why) {
    for (var report : reports.values()) {
      if (needsState(report)) {
        var newcomer = prepared.address(report.member());
        if (isClosed) {
          newcomers.add(newcomer); // hears of the end when it is certain
        } else {
          newcomers.remove(newcomer);
          out.add(new Envelope(newcomer, new OrderMessage.Refused(why)));
        }
        dead.add(newcomer); // soon
      }
    }
  }

  private static boolean isOfNewcomer(OrderMessage.Report report) {
    return report.installed().equals(View.Id.NONE);
  }

  /**
   * Installs the prepared view.
   *
   * @param state of this moment; {@code null} if no member {@linkplain #needsState needs} it
   */
  void install(OrderMessage.@Nullable State state) {
    var members = new TreeMap<>(prepared.members());
    members.values().removeAll(dead);
    var view = new View(prepared.number(), members);
    var newest =
        reports.values().stream()
            .map(OrderMessage.Report::installed)
            .max(Comparator.naturalOrder())
            .orElseThrow();
    var union = new TreeMap<Long, Change>();
    long end = 0;
    for (var report : reports.values()) {
      end = Math.max(end, report.applied());
      if (report.installed().equals(newest)) {
        report.log().forEach((number, change) -> union.merge(number, change, WriteOrder::whole));
      }
    }
    end = union.isEmpty() ? end : Math.max(end, union.lastKey());
    progress.clear();
    for (var member : members.keySet()) {
      var report = Objects.requireNonNull(reports.get(member), "of all who live");
      progress.put(member, isOfNewcomer(report) ? applied : report.applied());
    }
    var first = progress.values().stream().mapToLong(Long::longValue).min().orElse(applied) + 1;
    List<Change> changes = new ArrayList<>();
    for (var number = first; number <= end; number++) {
      var change = union.get(number);
      changes.add(change == null || change instanceof Change.Id ? new Change.Nothing() : change);
    }
    for (var member : members.keySet()) {
      if (member != me) {
        var own = isOfNewcomer(Objects.requireNonNull(reports.get(member))) ? state : null;
        post(member, new OrderMessage.Install(view, first, changes, own));
      }
    }
    stable = first - 1;
    installed(view, first, changes);
    progress.put(me, applied);
    settleStable();
    changeView(); // for the news that came meanwhile
  }

  private static Change whole(Change one, Change other) {
    return one instanceof Change.Id ? other : one;
  }

  private void installed(View view, long first, List<Change> changes) {
    prepared = view;
    installed = view.id();
    newcomers.removeAll(view.members().values());
    last = first - 1;
    log.clear();
    Set<Change.Id> numbered = new HashSet<>();
    for (var change : changes) {
      log.put(++last, change);
      if (change instanceof Change.Write write) {
        numbered.add(write.id());
      }
    }
    for (var own : List.copyOf(pending.values())) {
      var isNumbered = numbered.contains(own.write().id());
      var isNotSent = own.view().equals(View.Id.NONE);
      if (!isNumbered && (isNotSent || view.members().containsKey(own.view().sequencer()))) {
        propose(own.write());
      } else if (!isNumbered) {
        pending.remove(own.write().count());
        lost.add(own.write().count());
      }
    }
    reported = applied;
    if (isClosed && !isSequencer()) {
      reportApplied(); // it may be newer than the report
    }
    if (isClosing && !isClosed) {
      requestEnd();
    }
  }

  // Application of changes.

  /** Returns the next change to apply, or {@code null} if it is not known yet. */
  @Nullable Change next() {
    var next = isActive() ? log.get(applied + 1) : null;
    return next instanceof Change.Id ? null : next;
  }

  /** Takes note that the next change was applied. */
  void advance() {
    var change = Objects.requireNonNull(log.get(++applied), "the applied change");
    if (change instanceof Change.Write write && write.origin() == me) {
      pending.remove(write.count());
    }
    isClosed |= change instanceof Change.Close;
    if (isSequencer()) {
      progress.put(me, applied);
      settleStable();
    } else if (isActive() && (isClosed || applied - reported >= REPORTED)) {
      reportApplied();
    }
  }

  private void reportApplied() {
    reported = applied;
    post(installed.sequencer(), new OrderMessage.Applied(installed, me, applied));
  }

  /** Sends hashes to the sequencer; returns whether this member is another one. */
  boolean report(OrderMessage.Hashes hashes) {
    if (!isActive() || isSequencer()) {
      return false;
    }
    post(installed.sequencer(), hashes);
    return true;
  }

  private void settleStable() {
    stable = progress.values().stream().mapToLong(Long::longValue).min().orElse(stable);
    forget(stable);
    settleEnd();
  }

  private void settleEnd() {
    if (isClosed && stable == last && !isOver) {
      isOver = true;
      postToOthers(new OrderMessage.Closed());
      newcomers.forEach(each -> out.add(new Envelope(each, new OrderMessage.Closed())));
    }
  }

  private void forget(long upTo) {
    log.headMap(upTo, true).clear();
  }
}
