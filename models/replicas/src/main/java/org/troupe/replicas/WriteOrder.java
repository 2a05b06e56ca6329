package org.troupe.replicas;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
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
   * The origin calls the sequencer with the write, and gets the number as the answer. Both may be early or late among the
   * messages of their senders. A late one is not taken, as its view has passed: the sequencer's report has the
   * number, and a write without one is proposed again. An early number waits for those before it.
   *
   * Clusters. Writes and numbers go to each other cluster once, to a member that sends them on ("Relay"). To the cluster of
   * the sequencer the write goes in the call, and from there together with its number. A member may get a number before
   * the view has come to it, and keeps it. If a member that sends on is lost, its messages are lost, too: the reports for
   * the next view have them, as for any loss.
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
   * 1. A view of a younger member is above all views of older ones, which are lost, so their late
   *    messages change nothing. A view is installed only when all living members have prepared it, and a coordinator counts
   *    on from the last one that it has prepared itself. So installed views have rising numbers.
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

  /** An own write that the sequencer has not got yet, which answers with its number. */
  record Question(ReplicaMember sequencer, OrderMessage.Proposal proposal) {}

  /**
   * An own write that is not applied.
   *
   * @param sequencer of the view in which it was proposed; {@code null} if it was not yet
   */
  private record Pending(Change.Write write, @Nullable ReplicaMember sequencer) {}

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
  private final ClusterRoutes routes;
  private final ChangeLog log = new ChangeLog();
  private final List<OrderMessage.Numbered> early = new ArrayList<>(); // of the prepared view
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
    routes = new ClusterRoutes(self);
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
    others().values().forEach(member -> out.add(new Envelope(member, message)));
  }

  private Map<Integer, ReplicaMember> others() {
    var others = new TreeMap<>(prepared.members());
    others.remove(me);
    others.values().removeAll(dead);
    return others;
  }

  /** Takes note of the cluster of a member, perhaps of this one. */
  void locate(ReplicaMember member, String cluster) {
    routes.locate(member, cluster);
  }

  /** Sends a message to members, to each other cluster once. */
  private void route(OrderMessage message, Map<Integer, ReplicaMember> members) {
    for (var route : routes.routes(members)) {
      var rest = List.copyOf(route.subList(1, route.size()));
      post(
          route.getFirst(),
          rest.isEmpty() ? message : new OrderMessage.Relay(prepared.id(), rest, message));
    }
  }

  // Writes.

  /**
   * Adds an own write. It is proposed now, or in the next view.
   *
   * @return the question for its number; {@code null} if there is none to ask now
   */
  @Nullable Question propose(long count, int method, @Nullable Object[] arguments) {
    return propose(new Change.Write(me, count, method, arguments));
  }

  private @Nullable Question propose(Change.Write write) {
    if (!isActive()) {
      pending.put(write.count(), new Pending(write, null));
      return null;
    }
    var sequencer = prepared.address(installed.sequencer());
    pending.put(write.count(), new Pending(write, sequencer));
    if (isSequencer()) {
      if (!isEnding()) {
        route(number(write, write), others());
      }
      return null;
    }
    log.propose(write);
    var others = others();
    others.remove(installed.sequencer());
    var proposal =
        new OrderMessage.Proposal(installed, me, write, routes.beyond(sequencer, others));
    others.keySet().removeAll(proposal.beyond());
    route(proposal, others);
    return new Question(sequencer, proposal);
  }

  /**
   * Answers the question for a number.
   *
   * @return the number; {@code null} if the write gets none in its view
   */
  OrderMessage.@Nullable Numbered number(OrderMessage.Proposal proposal) {
    if (!isSequencer() || isEnding() || !proposal.view().equals(installed)) {
      return null;
    }
    var others = others();
    others.remove(proposal.member());
    return number(proposal, others);
  }

  /** Gives the write of another member the next number, and tells it to members. */
  private OrderMessage.Numbered number(
      OrderMessage.Proposal proposal, Map<Integer, ReplicaMember> told) {
    var write = proposal.write();
    var numbered = number(write, write.id());
    var beyond = new TreeMap<>(told);
    beyond.keySet().retainAll(proposal.beyond());
    told.keySet().removeAll(proposal.beyond());
    route(numbered.with(write), beyond);
    route(numbered, told);
    return numbered;
  }

  /** Lets it be found out whether the write of a question has a number. */
  void renew(Question question) {
    if (isActive() && question.proposal().view().equals(installed)) {
      post(installed.sequencer(), new OrderMessage.Renewal(installed));
    }
  }

  /**
   * Gives a change the next number.
   *
   * @param sent what the other members get
   */
  private OrderMessage.Numbered number(Change change, Change sent) {
    last++;
    log.add(last, change);
    return new OrderMessage.Numbered(installed, last, sent, stable);
  }

  /** Returns whether the end of the object has a number, as far as this member knows. */
  private boolean isEnding() {
    return isClosed || log.endsWithClose();
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
      if (!isEnding()) {
        var end = new Change.Close();
        route(number(end, end), others());
      }
    } else {
      post(installed.sequencer(), new OrderMessage.Closing(installed));
    }
  }

  private void proposed(OrderMessage.Proposal proposal) {
    // Its origin may have installed the view that this member has only prepared.
    if (!proposal.view().equals(prepared.id())) {
      return;
    }
    var write = proposal.write();
    if (log.complete(write)) {
      return;
    }
    if (isSequencer()) {
      if (!isEnding()) {
        number(proposal, others());
      }
    } else if (!isPreparing()) {
      log.propose(write);
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
          log.add(numbered.number(), numbered.change());
          log.forget(numbered.stable());
        } else if (numbered.view().equals(prepared.id())) {
          early.add(numbered);
        }
      }
      case OrderMessage.Relay(View.Id view, var others, OrderMessage relayed) -> {
        if (view.equals(prepared.id())) {
          others.forEach(member -> post(member, relayed));
        }
        receive(relayed);
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
        log.forget(applied);
      }
      case OrderMessage.Renewal(View.Id view) -> {
        if (isSequencer() && view.equals(installed)) {
          begin(prepared.without(dead).next());
        }
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
    var living = prepared.without(dead);
    if (living.first() != me) {
      return;
    }
    if (isSequencer()) {
      if (!newcomers.isEmpty() && !isEnding()) {
        begin(living.with(newcomers.iterator().next()));
        return;
      }
      if (living.members().size() == prepared.members().size()) {
        return;
      }
    }
    begin(living.next());
  }

  /** Begins to prepare a view of which this member is the first. */
  private void begin(View next) {
    prepare(next);
    reports.clear();
    reports.put(me, report());
    postToOthers(new OrderMessage.Prepare(prepared));
  }

  private void prepare(View next) {
    prepared = next;
    log.freeze();
    early.clear();
    for (var member : next.members().entrySet()) {
      if (member.getValue().equals(self)) {
        me = member.getKey();
      } else {
        meet(member.getValue());
      }
    }
  }

  private OrderMessage.Report report() {
    return new OrderMessage.Report(prepared.id(), me, installed, applied, log.copy());
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
    var view = prepared.without(dead);
    var members = view.members();
    progress.clear();
    for (var member : members.keySet()) {
      var report = Objects.requireNonNull(reports.get(member), "of all who live");
      progress.put(member, isOfNewcomer(report) ? applied : report.applied());
    }
    var first = progress.values().stream().mapToLong(Long::longValue).min().orElse(applied) + 1;
    var changes = ChangeLog.union(reports.values(), first);
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

  private void installed(View view, long first, List<Change> changes) {
    prepared = view;
    installed = view.id();
    newcomers.removeAll(view.members().values());
    last = first - 1 + changes.size();
    log.restart(first, changes);
    Set<Change.Id> numbered = new HashSet<>();
    for (var change : changes) {
      if (change instanceof Change.Write write) {
        numbered.add(write.id());
      }
    }
    for (var own : List.copyOf(pending.values())) {
      var isNumbered = numbered.contains(own.write().id());
      var sequencer = own.sequencer();
      if (!isNumbered && (sequencer == null || view.members().containsValue(sequencer))) {
        var question = propose(own.write());
        if (question != null) {
          out.add(new Envelope(question.sequencer(), question.proposal()));
        }
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
    early.forEach(this::receive);
    early.clear();
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
    log.forget(stable);
    settleEnd();
  }

  private void settleEnd() {
    if (isClosed && stable == last && !isOver) {
      isOver = true;
      postToOthers(new OrderMessage.Closed());
      newcomers.forEach(each -> out.add(new Envelope(each, new OrderMessage.Closed())));
    }
  }
}
