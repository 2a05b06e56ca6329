package org.troupe.replicas;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One member's part in the order of a replicated object's changes. Touched under its owner's lock.
 */
final class WriteOrder {

  /*
   * Design: one order by a sequencer
   *
   * Members are numbered as they join. The lowest one that lives is the sequencer; its number is the epoch. The
   * origin of a write sends the arguments to all members at once and asks the sequencer, which answers with the
   * number and announces it to the others. A member applies change n + 1 when it has applied n and has the arguments.
   * Members join and leave by changes in the same order, so all have the same view at each place.
   *
   * Who has the arguments. A write says which member was the newest in the view of its origin. The sequencer
   * announces the whole write to members that are newer. When an origin is lost, the sequencer first announces all of
   * its writes whole, and then its leave.
   *
   * A lost sequencer. The next one raises the epoch and inquires what each member has. Who answers ignores
   * all announcements of former epochs from then on. When all have answered, or are lost, the union of their changes
   * is the order: a change that a survivor has applied is in it, since members forget only stable changes, which
   * all have applied. Numbers without a change become empty. The recovery goes to all members. A member's own write
   * that it has sent to the lost sequencer, and that the recovery lacks, is lost; one not sent is proposed again.
   *
   * Joins. The new member is part of the order from its join on, but gets the state only when all have
   * applied the join. So there is never a member that others do not know and that has applied a change. It answers
   * inquiries without a state by saying so, and then gets one from the new sequencer.
   *
   * Without threads and clocks. Each method changes the state, and may add messages to "out", which the owner sends
   * in their order. Messages of one member to another arrive in the order sent, which the epochs rely on.
   *
   * Sources: M. F. Kaashoek and A. S. Tanenbaum, Group communication in the Amoeba distributed operating system, ICDCS
   * 1991 (arguments to all, numbers from a sequencer); B. Oki and B. Liskov, Viewstamped replication, PODC 1988 (the
   * change of views).
   */

  /** A message and the member that is to get it. */
  record Envelope(int to, OrderMessage message) {}

  /** After how many changes a member reports what it has applied. */
  private static final int REPORTED = 64;

  final ArrayDeque<Envelope> out = new ArrayDeque<>();

  /** The numbers of own writes that the recovery has found lost, and of those to propose again. */
  final List<Long> lost = new ArrayList<>();

  final List<Long> unsent = new ArrayList<>();

  private int me = -1; // no state yet
  private int epoch;
  private boolean isOrdering; // this epoch's order is known here
  private final TreeSet<Integer> view = new TreeSet<>(); // at the last applied change
  private final Set<Integer> dead = new HashSet<>();
  private final TreeMap<Long, Change> log = new TreeMap<>(); // by number, above what is stable
  private final Map<Change.Id, Long> numbers = new HashMap<>(); // of the writes in the log
  private final Map<Change.Id, Change.Write> proposals = new HashMap<>(); // not numbered yet
  private final Map<Long, Boolean> pending = new TreeMap<>(); // own writes; whether they were sent
  private final Map<Integer, ReplicaMember> addresses = new HashMap<>(); // of who joins
  private long applied;
  private long reported;

  // Of the sequencer only.
  private long last; // number
  private int newest; // member that has joined
  private long stable;
  private final Map<Integer, Long> progress = new HashMap<>(); // by member, as reported
  private final Map<Integer, Long> joining = new HashMap<>(); // places of members without a state
  private final Set<Integer> leaving = new HashSet<>(); // members whose leave is in the order
  private final Map<Integer, OrderMessage.Report> reports = new HashMap<>();
  private final Set<Integer> asked = new HashSet<>();

  int me() {
    return me;
  }

  int epoch() {
    return epoch;
  }

  long applied() {
    return applied;
  }

  boolean hasState() {
    return me >= 0;
  }

  boolean isSequencer() {
    return epoch == me && isOrdering;
  }

  Set<Integer> view() {
    return view;
  }

  /** Returns the address of a member that joins, or {@code null}. */
  @Nullable ReplicaMember address(int member) {
    return addresses.get(member);
  }

  /** Takes over a state. */
  void begin(OrderMessage.State state) {
    if (hasState() || state.epoch() < epoch) {
      return;
    }
    me = state.member();
    epoch = state.epoch();
    isOrdering = true;
    applied = state.applied();
    reported = applied;
    view.addAll(state.members().keySet());
    last = applied;
    newest = view.last();
    stable = applied;
    for (var member : view) {
      progress.put(member, applied);
    }
    place(applied + 1, state.later());
  }

  /**
   * Adds an own write.
   *
   * @return the write, and whether the sequencer is to be asked for its place
   */
  Proposed propose(long number, int method, @Nullable Object[] arguments) {
    var write = new Change.Write(me, number, epoch, view.last(), method, arguments);
    var isSent = isOrdering && !dead.contains(epoch);
    pending.put(number, isSent);
    if (!isSent) {
      return new Proposed(write, false);
    }
    if (isSequencer()) {
      append(write);
      return new Proposed(write, false);
    }
    for (var member : view) {
      if (member != me && member != epoch && !dead.contains(member)) {
        out.add(new Envelope(member, new OrderMessage.Proposal(write)));
      }
    }
    return new Proposed(write, true);
  }

  record Proposed(Change.Write write, boolean toAsk) {}

  /** Gives a write of another member its place. */
  Place order(Change.Write write) {
    if (!isSequencer() || write.epoch() != epoch || dead.contains(write.origin())) {
      return Place.NONE;
    }
    var known = numbers.get(write.id());
    return new Place(epoch, known == null ? append(write) : known);
  }

  /** Takes the answer of the sequencer to an own write. */
  void placed(Place place, Change.Write write) {
    if (place.number() == 0) {
      if (pending.containsKey(write.number())) {
        if (epoch > write.epoch() && isOrdering) {
          pending.remove(write.number());
          unsent.add(write.number());
        } else {
          pending.put(write.number(), false);
        }
      }
    } else if (place.epoch() == epoch && isOrdering) {
      place(place.number(), List.of(write));
    }
  }

  /** Adds a member to the order; returns its number, or -1 if this member is no sequencer. */
  int join(ReplicaMember address) {
    if (!isSequencer()) {
      return -1;
    }
    newest++;
    joining.put(newest, last + 1);
    append(new Change.Join(newest, address));
    return newest;
  }

  private long append(Change change) {
    var number = ++last;
    place(number, List.of(change));
    if (change instanceof Change.Leave(int member)) {
      leaving.add(member);
    }
    for (var member : receivers()) {
      var form = change;
      if (change instanceof Change.Write write) {
        if (member == write.origin()) {
          form = null; // it gets the answer
        } else if (write.origin() != me && member <= write.newest()) {
          form = write.id();
        }
      }
      if (form != null) {
        announce(member, number, List.of(form));
      }
    }
    return number;
  }

  /** Joins announcements to those that are not sent yet. */
  private void announce(int member, long number, List<Change> changes) {
    var before = out.isEmpty() ? null : lastTo(member);
    if (before != null
        && before.message() instanceof OrderMessage.Numbered numbered
        && numbered.first() + numbered.changes().size() == number) {
      numbered.changes().addAll(changes);
      return;
    }
    var message = new OrderMessage.Numbered(epoch, number, new ArrayList<>(changes), stable);
    out.add(new Envelope(member, message));
  }

  private @Nullable Envelope lastTo(int member) {
    for (var latest = out.descendingIterator(); latest.hasNext(); ) {
      var envelope = latest.next();
      if (envelope.to() == member) {
        return envelope;
      }
    }
    return null;
  }

  /** Returns the other members that have a state, or are getting one. */
  private List<Integer> receivers() {
    return progress.keySet().stream()
        .filter(member -> member != me && !dead.contains(member))
        .sorted()
        .toList();
  }

  private void place(long first, List<? extends Change> changes) {
    var number = first;
    for (var change : changes) {
      if (number > applied && !(log.get(number) instanceof Change.Write)) {
        var whole = change;
        if (change instanceof Change.Id id) {
          var proposal = proposals.remove(id);
          whole = proposal == null ? id : proposal;
          numbers.put(id, number);
        } else if (change instanceof Change.Write write) {
          proposals.remove(write.id());
          numbers.put(write.id(), number);
        }
        if (change instanceof Change.Join join) {
          addresses.put(join.member(), join.address());
        }
        log.put(number, whole);
      }
      number++;
    }
  }

  /** Takes a message of another member. */
  void receive(OrderMessage message) {
    switch (message) {
      case OrderMessage.Proposal(Change.Write write) -> proposed(write);
      case OrderMessage.Numbered numbered -> {
        if (hasState() && numbered.epoch() == epoch && isOrdering) {
          place(numbered.first(), numbered.changes());
          forget(numbered.stable());
        }
      }
      case OrderMessage.Applied(int of, int member, long upTo) -> {
        if (of == epoch && epoch == me) {
          progress.merge(member, upTo, Math::max);
          settleStable();
        }
      }
      case OrderMessage.Inquiry inquiry -> inquired(inquiry);
      case OrderMessage.Report report -> {
        if (report.epoch() == epoch && epoch == me && !isOrdering) {
          reports.put(report.member(), report);
          recoverIfAllKnown();
        }
      }
      case OrderMessage.Recovery recovery -> {
        if (hasState() && recovery.epoch() == epoch) {
          recovered(recovery);
        }
      }
      case OrderMessage.State state -> begin(state);
    }
  }

  private void proposed(Change.Write write) {
    var number = numbers.get(write.id());
    if (number != null) {
      if (log.get(number) instanceof Change.Id) {
        log.put(number, write);
      }
    } else if (write.epoch() >= epoch) {
      proposals.put(write.id(), write);
    }
  }

  private void inquired(OrderMessage.Inquiry inquiry) {
    if (inquiry.epoch() < epoch) {
      return;
    }
    epoch = inquiry.epoch();
    isOrdering = false;
    out.add(new Envelope(epoch, report(inquiry.member())));
  }

  private OrderMessage.Report report(int member) {
    return new OrderMessage.Report(epoch, member, hasState() ? applied : -1, new TreeMap<>(log));
  }

  /** Takes note that a member is lost or has left. */
  void lost(int member) {
    if (!hasState() || !dead.add(member)) {
      return;
    }
    if (isSequencer()) {
      retire(member);
    } else if (epoch == me) {
      recoverIfAllKnown();
    } else if (dead.contains(epoch) && me == lowest()) {
      epoch = me;
      isOrdering = false;
      reports.clear();
      asked.clear();
      recoverIfAllKnown();
    }
  }

  private int lowest() {
    return view.stream().filter(member -> !dead.contains(member)).findFirst().orElse(me);
  }

  private void retire(int member) {
    for (var entry : log.entrySet()) {
      if (entry.getValue() instanceof Change.Write write && write.origin() == member) {
        for (var receiver : receivers()) {
          announce(receiver, entry.getKey(), List.of(write));
        }
      }
    }
    joining.remove(member);
    if (!leaving.contains(member)) {
      append(new Change.Leave(member));
    }
    progress.remove(member);
    settleStable();
  }

  /**
   * Inquires of all members that the view or a known join names, and ends when all have answered.
   */
  private void recoverIfAllKnown() {
    reports.put(me, report(me));
    var members = new TreeSet<>(view);
    for (var report : reports.values()) {
      for (var change : report.known().values()) {
        if (change instanceof Change.Join join) {
          members.add(join.member());
          addresses.put(join.member(), join.address());
        }
      }
    }
    var areAllKnown = true;
    for (var member : members) {
      if (!dead.contains(member)) {
        if (asked.add(member) && member != me) {
          out.add(new Envelope(member, new OrderMessage.Inquiry(epoch, member)));
        }
        areAllKnown &= reports.containsKey(member);
      }
    }
    if (areAllKnown) {
      recover(members);
    }
  }

  private void recover(Set<Integer> members) {
    var first = Long.MAX_VALUE;
    var union = new TreeMap<Long, Change>();
    progress.clear();
    joining.clear();
    for (var report : reports.values()) {
      for (var known : report.known().entrySet()) {
        union.merge(known.getKey(), known.getValue(), (a, b) -> a instanceof Change.Id ? b : a);
      }
      if (!dead.contains(report.member()) && report.applied() >= 0) {
        first = Math.min(first, report.applied() + 1);
        progress.put(report.member(), report.applied());
      }
    }
    var end = Math.max(applied, union.isEmpty() ? 0 : union.lastKey());
    for (var report : reports.values()) {
      end = Math.max(end, report.applied());
    }
    List<Change> changes = new ArrayList<>();
    for (var number = first; number <= end; number++) {
      var change = union.get(number);
      changes.add(change == null || change instanceof Change.Id ? new Change.Nothing() : change);
    }
    last = end;
    newest = Math.max(newest, members.stream().max(Integer::compare).orElse(me));
    stable = first - 1;
    leaving.clear();
    var recovery = new OrderMessage.Recovery(epoch, first, changes);
    for (var member : receivers()) {
      out.add(new Envelope(member, recovery));
    }
    recovered(recovery);
    for (var change : changes) {
      if (change instanceof Change.Leave(int member)) {
        leaving.add(member);
      }
    }
    for (var member : members) {
      if (dead.contains(member)) {
        retire(member);
      } else if (!progress.containsKey(member)) {
        joining.put(member, last);
      }
    }
    reports.clear();
  }

  private void recovered(OrderMessage.Recovery recovery) {
    isOrdering = true;
    var end = recovery.first() + recovery.changes().size() - 1;
    log.tailMap(applied, false).clear();
    numbers.values().removeIf(number -> number > applied);
    reported = Math.min(reported, applied);
    place(recovery.first(), recovery.changes());
    last = Math.max(end, applied);
    proposals.values().removeIf(write -> write.epoch() < epoch);
    for (var own = pending.entrySet().iterator(); own.hasNext(); ) {
      var write = own.next();
      if (!numbers.containsKey(new Change.Id(me, write.getKey()))) {
        (write.getValue() ? lost : unsent).add(write.getKey()); // the removal may change the entry
        own.remove();
      }
    }
  }

  /** Returns the next change to apply, or {@code null} if it is not known yet. */
  @Nullable Change next() {
    var next = isOrdering || hasState() ? log.get(applied + 1) : null;
    return next instanceof Change.Id ? null : next;
  }

  /** Takes note that the next change was applied. */
  void advance() {
    var change = Objects.requireNonNull(log.get(++applied), "the applied change");
    var isReported = applied - reported >= REPORTED;
    switch (change) {
      case Change.Write write when write.origin() == me -> pending.remove(write.number());
      case Change.Join(int member, ReplicaMember _) -> {
        view.add(member);
        newest = Math.max(newest, member);
        isReported = true;
      }
      case Change.Leave(int member) -> {
        view.remove(member);
        proposals.values().removeIf(write -> write.origin() == member);
        isReported = true;
      }
      default -> {}
    }
    if (epoch == me) {
      progress.put(me, applied);
      if (isReported) {
        reported = applied;
        settleStable();
      }
    } else if (isReported && isOrdering) {
      reported = applied;
      out.add(new Envelope(epoch, new OrderMessage.Applied(epoch, me, applied)));
    }
  }

  private void settleStable() {
    if (!isSequencer()) {
      return;
    }
    var least = applied;
    for (var each : progress.entrySet()) {
      if (!dead.contains(each.getKey())) {
        least = Math.min(least, each.getValue());
      }
    }
    stable = Math.max(stable, least);
    forget(stable);
  }

  private void forget(long upTo) {
    var gone = log.headMap(Math.min(upTo, applied), true);
    for (var change : gone.values()) {
      if (change instanceof Change.Write write) {
        numbers.remove(write.id());
      }
    }
    gone.clear();
  }

  /** Returns a member that is to get the state now; -1 if there is none. */
  int newcomer() {
    if (isSequencer()) {
      for (var each : joining.entrySet()) {
        var isKnownToAll =
            applied >= each.getValue()
                && progress.entrySet().stream()
                    .allMatch(
                        other ->
                            dead.contains(other.getKey()) || other.getValue() >= each.getValue());
        if (isKnownToAll && view.contains(each.getKey()) && !dead.contains(each.getKey())) {
          return each.getKey();
        }
      }
    }
    return -1;
  }

  /** Returns the state for a new member, which gets all later announcements from then on. */
  void welcome(
      int member, ReplicaMember identity, Object object, Map<Integer, ReplicaMember> members) {
    joining.remove(member);
    progress.put(member, applied);
    var later = List.copyOf(log.tailMap(applied, false).values());
    out.add(
        new Envelope(
            member,
            new OrderMessage.State(identity, member, epoch, applied, object, members, later)));
  }
}
