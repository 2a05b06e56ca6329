package org.troupe.activeobjects.internal.listing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Drives the collection of cycles over nodes through one random order of calls, collections of the
 * JVMs, rounds of trials, deliveries and deaths.
 */
final class CycleExplorer {

  /** A rule of the protocol that a run does without, to show that the check would miss it. */
  enum WithoutRule {
    NONE,
    MARKED_NAMES(31),
    CLEARED(31),
    UNREFERENCED,
    REPORTED_RETURNS(771),
    HELD_UNTIL_OVER(31),
    KEPT_REFERENCES(115),
    ACKNOWLEDGED_NAMES(321);

    /** The first seed whose run fails without the rule; the search begins there. */
    final long firstSeed;

    WithoutRule() {
      this(0);
    }

    WithoutRule(long firstSeed) {
      this.firstSeed = firstSeed;
    }
  }

  /** What a run has ended with. */
  enum End {
    /** All objects were collected when nothing could reach them, and none before. */
    SOUND,
    /** An object was collected that could be reached. */
    TOO_EARLY,
    /** An object was never collected. */
    NEVER
  }

  private static final int NODES = 4;
  private static final int COORDINATOR = 0; // never dies, as the grid would end
  private static final String GRID = "grid";
  private static final int LEAST_ALIVE = 3;
  private static final int MOST_OBJECTS = 3;
  private static final int SLOWNESS = 20;
  private static final int STEPS = 600;
  private static final int MOST_STEPS = 20_000;

  /** A message on a link. */
  private sealed interface Message {
    /** A reference to an object, which a thread of the receiver holds. */
    record Reference(ObjectName object) implements Message {}

    /** A call of an object, with a reference to another as its argument. */
    record Call(ObjectName target, ObjectName argument) implements Message {}

    record Told(ObjectName object, CopyChanges changes) implements Message {}

    record Kept(ObjectName object) implements Message {}

    record KeptAcknowledged() implements Message {}

    record Statement(ObjectName object, int lost, int count, long view) implements Message {}

    record Acknowledgement(long view) implements Message {}

    record Died(int lost, long view) implements Message {}

    record Stated(long view) implements Message {}

    record Settled(long view) implements Message {}

    /** Begins a round; {@code null} lets the node choose at random. */
    record Prepare(@Nullable Set<Long> candidates) implements Message {}

    record Prepared(Set<Long> numbers) implements Message {}

    record Go(Set<ObjectName> participants) implements Message {}

    record Ask(int poll) implements Message {}

    record Answer(int poll, TrialReport report) implements Message {}

    record Free(Set<Long> numbers) implements Message {}

    record Finish() implements Message {}

    record Finished() implements Message {}

    record Over() implements Message {}
  }

  /** An active object. */
  private static final class Subject {
    final ObjectName name;
    final HostedCopies copies;
    Set<ObjectName> references = new TreeSet<>(CycleExplorer::compare); // in the heap
    List<ObjectName> image = List.of();
    Set<ObjectName> kept = Set.of(); // references beside the image
    boolean isCleared;
    boolean isDecoding;
    final List<ObjectName> queue = new ArrayList<>(); // the arguments of calls

    Subject(ObjectName name, HostedCopies copies) {
      this.name = name;
      this.copies = copies;
    }

    Collection<ObjectName> refersTo() {
      return isCleared || isDecoding ? image : references;
    }
  }

  /** A node. */
  private static final class Participant {
    final int index;
    final NodeDeaths deaths;
    final NodeTrials trials;
    final Map<Long, Subject> objects = new TreeMap<>();
    final Set<ObjectName> roots = new TreeSet<>(CycleExplorer::compare); // of threads
    final Map<ObjectName, HeldCopies> held = new TreeMap<>(CycleExplorer::compare);
    final Set<Integer> knownDead = new HashSet<>();
    final Map<Long, Integer> unstated = new TreeMap<>(); // statements unacknowledged, by views
    final Map<Integer, Integer> unacknowledged = new HashMap<>(); // names, by their hosts
    long applied;
    boolean lives = true;
    boolean finishes;

    Participant(int index, NodeTrials trials) {
      this.index = index;
      this.deaths = new NodeDeaths(index);
      this.trials = trials;
    }
  }

  private enum Phase {
    NONE,
    PREPARING,
    TRYING,
    FINISHING
  }

  private final Random random;
  private final WithoutRule without;
  private final List<Participant> nodes = new ArrayList<>();
  private final Map<Integer, Deque<Message>> links = new TreeMap<>(); // by from * NODES + to
  private final Set<Integer> slow = new HashSet<>(); // links
  private final Statements statements = new Statements();
  private final CycleSearch search;
  private long view;
  private long lastNumber;
  private boolean isWindingUp;
  private boolean isCalm; // user code does little for a while
  private boolean isTooEarly;

  // the coordinator's round
  private Phase phase = Phase.NONE;
  private final Set<Integer> awaited = new TreeSet<>();
  private final Set<ObjectName> participants = new HashSet<>();
  private int poll;
  private int pollsBefore; // this round
  private Map<Long, TrialReport> reports = new TreeMap<>();

  CycleExplorer(long seed, WithoutRule without) {
    this.random = new Random(seed);
    this.without = without;
    search =
        new CycleSearch() {
          @Override
          void mark(Set<ObjectName> reached, Map<ObjectName, List<ObjectName>> names) {
            if (without != WithoutRule.MARKED_NAMES) {
              super.mark(reached, names);
            }
          }
        };
    for (var i = 0; i < NODES; i++) {
      nodes.add(new Participant(i, newTrials()));
      statements.joined(i, 0);
    }
    for (var i = 0; i < NODES; i++) {
      slow.add(random.nextInt(NODES * NODES));
    }
  }

  private NodeTrials newTrials() {
    return new NodeTrials() {
      @Override
      public boolean isHeld(long number) {
        return super.isHeld(number)
            && (without != WithoutRule.HELD_UNTIL_OVER || unreturned().contains(number));
      }

      @Override
      boolean reportsReturned() {
        return without != WithoutRule.REPORTED_RETURNS;
      }

      @Override
      boolean isProved(boolean isCleared, boolean isUnreferenced) {
        return (isCleared || without == WithoutRule.CLEARED)
            && (isUnreferenced || without == WithoutRule.UNREFERENCED);
      }
    };
  }

  private static int compare(ObjectName one, ObjectName other) {
    var first = Long.compare(one.birth(), other.birth());
    return first != 0 ? first : Long.compare(one.number(), other.number());
  }

  End run() {
    for (var step = 0; step < MOST_STEPS; step++) {
      if (isTooEarly) {
        return End.TOO_EARLY;
      }
      isWindingUp = step >= STEPS;
      if (isWindingUp) {
        nodes.forEach(each -> each.roots.clear());
        if (step > 2 * STEPS) {
          slow.clear();
        }
        if (nodes.stream().noneMatch(each -> each.lives && !each.objects.isEmpty())) {
          return End.SOUND;
        }
      }
      var actions = actions();
      actions.get(random.nextInt(actions.size())).run();
    }
    return End.NEVER;
  }

  // What may happen next

  private List<Runnable> actions() {
    List<Runnable> actions = new ArrayList<>();
    isCalm ^= random.nextInt(40) == 0;
    for (var node : nodes) {
      if (node.lives) {
        if (!isWindingUp && (!isCalm || random.nextInt(12) == 0)) {
          userActions(node, actions);
        }
        actions.add(() -> collect(node));
        actions.add(() -> collect(node));
        if (node.held.values().stream().anyMatch(HeldCopies::hasChanges)) {
          actions.add(() -> tell(node));
        }
        for (var object : node.objects.values()) {
          if (object.isDecoding) {
            actions.add(() -> decode(node, object));
          }
        }
      }
    }
    roundActions(actions);
    links.forEach(
        (link, queue) -> {
          if (!queue.isEmpty() && nodes.get(link % NODES).lives) {
            Runnable deliver = () -> deliver(link / NODES, nodes.get(link % NODES), queue.remove());
            var share = !slow.contains(link) ? 3 : random.nextInt(SLOWNESS) == 0 ? 1 : 0;
            for (var i = 0; i < share; i++) {
              actions.add(deliver);
            }
          }
        });
    return actions;
  }

  private void userActions(Participant node, List<Runnable> actions) {
    var roots = List.copyOf(node.roots);
    if (node.index != COORDINATOR && node.objects.size() < MOST_OBJECTS) {
      actions.add(() -> create(node));
    }
    if (!roots.isEmpty()) {
      var target = any(roots);
      if (!node.knownDead.contains((int) target.birth())) {
        Runnable call = () -> call(node, target, any(roots));
        for (var i = 0; i < 3; i++) {
          actions.add(call);
        }
      }
      var to = random.nextInt(NODES);
      if (to != node.index && nodes.get(to).lives && !node.knownDead.contains(to)) {
        actions.add(() -> give(node, any(roots), to));
      }
      if (random.nextInt(3) == 0) {
        actions.add(() -> node.roots.remove(target));
      }
    }
    if (node.index != COORDINATOR
        && nodes.stream().filter(each -> each.lives).count() > LEAST_ALIVE
        && random.nextInt(80) == 0) {
      actions.add(() -> die(node));
    }
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private void roundActions(List<Runnable> actions) {
    switch (phase) {
      case NONE -> actions.add(this::beginRound);
      case TRYING -> {
        if (awaited.isEmpty()) {
          for (var i = 0; i < 4; i++) {
            actions.add(this::ask);
          }
          if (poll - pollsBefore > random.nextInt(8)) {
            actions.add(this::finishRound);
          }
        }
      }
      case PREPARING, FINISHING -> {}
    }
  }

  // Objects and references

  private void create(Participant node) {
    var name = new ObjectName(node.index, ++lastNumber);
    node.objects.put(name.number(), new Subject(name, new HostedCopies(node.deaths)));
    node.roots.add(name);
  }

  private @Nullable Subject local(Participant node, ObjectName name) {
    return node.objects.get(name.number());
  }

  private static boolean isLocal(Participant node, ObjectName name) {
    return name.birth() == node.index;
  }

  private HeldCopies held(Participant node, ObjectName name) {
    return node.held.computeIfAbsent(name, _ -> new HeldCopies());
  }

  private void call(Participant node, ObjectName target, ObjectName argument) {
    if (isLocal(node, target)) {
      take(node, target, argument);
      return;
    }
    var to = (int) target.birth();
    counts(node, argument, to);
    send(node.index, to, new Message.Call(target, argument));
  }

  private void give(Participant node, ObjectName object, int to) {
    counts(node, object, to);
    send(node.index, to, new Message.Reference(object));
  }

  private void counts(Participant node, ObjectName argument, int to) {
    if (isLocal(node, argument)) {
      var object = local(node, argument);
      if (object != null) {
        object.copies.given(to);
        counted(node, object);
      }
    } else {
      held(node, argument).given(to);
    }
  }

  /** Takes a call, whose argument the node holds from now on. */
  private void take(Participant node, ObjectName target, ObjectName argument) {
    var object = local(node, target);
    if (object == null) {
      isTooEarly = true;
      return;
    }
    returns(node, object);
    object.queue.add(argument);
    if (!object.isDecoding) {
      serve(node, object);
    }
  }

  private void serve(Participant node, Subject object) {
    for (var argument : object.queue) {
      var known = List.copyOf(object.references);
      switch (random.nextInt(6)) {
        case 0 -> node.roots.add(argument);
        case 1 -> {
          if (!known.isEmpty()) {
            node.roots.add(any(known));
          }
        }
        case 2 -> {
          if (!known.isEmpty()) {
            object.references.remove(any(known));
          }
        }
        default -> object.references.add(argument);
      }
    }
    object.queue.clear();
  }

  private void arrived(Participant node, ObjectName name, int giver) {
    if (!isLocal(node, name)) {
      held(node, name).received(giver);
      return;
    }
    var object = local(node, name);
    if (object == null) {
      isTooEarly = true;
      return;
    }
    returns(node, object);
    object.copies.cameHome(giver);
    counted(node, object);
  }

  private static void counted(Participant node, Subject object) {
    node.trials.counted(object.name.number(), object.copies.isUnreferenced());
  }

  /** Lets an object return from its trial, if it is on trial. */
  private static void returns(Participant node, Subject object) {
    if (node.trials.returns(object.name.number())) {
      object.isDecoding = object.isCleared;
      object.isCleared = false;
      object.kept = object.isDecoding ? object.kept : Set.of();
    }
  }

  private void decode(Participant node, Subject object) {
    object.isDecoding = false;
    object.kept = Set.of();
    object.references.clear();
    for (var name : object.image) {
      object.references.add(name);
      if (isLocal(node, name)) {
        var other = local(node, name);
        if (other != null) {
          returns(node, other);
        }
      } else if (!node.knownDead.contains((int) name.birth())) {
        var host = (int) name.birth();
        held(node, name).received(host);
        node.unacknowledged.merge(host, 1, Integer::sum);
        send(node.index, host, new Message.Kept(name));
      }
    }
    serve(node, object);
    finishIfReady(node);
  }

  private void tell(Participant node) {
    node.held.forEach(
        (name, copies) -> {
          var changes = copies.takeChanges();
          if (changes != null) {
            send(node.index, (int) name.birth(), new Message.Told(name, changes));
          }
        });
  }

  /** Lets the collector of a JVM run. */
  private void collect(Participant node) {
    Set<ObjectName> reached = new HashSet<>();
    Deque<ObjectName> unvisited = new ArrayDeque<>(node.roots);
    for (var object : node.objects.values()) {
      unvisited.addAll(object.queue);
      var isOnTrial = node.trials.isOnTrial(object.name.number());
      if (!isOnTrial
          && (!object.copies.isUnreferenced() || node.trials.isHeld(object.name.number()))) {
        unvisited.add(object.name);
      }
      unvisited.addAll(object.kept);
    }
    for (ObjectName next; (next = unvisited.poll()) != null; ) {
      if (reached.add(next) && isLocal(node, next)) {
        var object = local(node, next);
        if (object != null && !object.isCleared && !object.isDecoding) {
          unvisited.addAll(object.references);
        }
      }
    }
    for (var object : List.copyOf(node.objects.values())) {
      if (reached.contains(object.name) || object.isCleared || object.isDecoding) {
        continue;
      }
      if (node.trials.isOnTrial(object.name.number())) {
        node.trials.cleared(object.name.number());
        object.isCleared = true;
        object.references.clear();
      } else {
        collected(node, object);
      }
    }
    node.held.forEach(
        (name, copies) -> {
          if (!reached.contains(name)) {
            copies.cleared();
          }
        });
  }

  private void collected(Participant node, Subject object) {
    if (needed().contains(object.name)) {
      isTooEarly = true;
    }
    node.objects.remove(object.name.number());
    node.trials.ended(object.name.number());
  }

  /** Returns the objects that a thread of a node, or a message under way, can reach. */
  private Set<ObjectName> needed() {
    Deque<ObjectName> unvisited = new ArrayDeque<>();
    for (var node : nodes) {
      if (node.lives) {
        unvisited.addAll(node.roots);
        node.objects
            .values()
            .forEach(
                each -> {
                  if (!each.queue.isEmpty()) {
                    unvisited.add(each.name);
                    unvisited.addAll(each.queue);
                  }
                });
      }
    }
    links.forEach(
        (link, queue) -> {
          var receiver = nodes.get(link % NODES);
          if (receiver.lives && !receiver.knownDead.contains(link / NODES)) {
            for (var message : queue) {
              switch (message) {
                case Message.Reference(var object) -> unvisited.add(object);
                case Message.Call(var target, var argument) ->
                    unvisited.addAll(List.of(target, argument));
                default -> {}
              }
            }
          }
        });
    Set<ObjectName> needed = new HashSet<>();
    for (ObjectName next; (next = unvisited.poll()) != null; ) {
      var host = nodes.get((int) next.birth());
      if (host.lives && needed.add(next)) {
        var object = local(host, next);
        if (object != null) {
          unvisited.addAll(object.refersTo());
        }
      }
    }
    return needed;
  }

  // Rounds

  private Collection<Participant> living() {
    return nodes.stream().filter(each -> each.lives).toList();
  }

  private void toAll(Message message) {
    awaited.clear();
    for (var each : living()) {
      awaited.add(each.index);
      send(COORDINATOR, each.index, message);
    }
  }

  private void beginRound() {
    phase = Phase.PREPARING;
    participants.clear();
    awaited.clear();
    var candidates = isWindingUp ? search.candidates(suspects()) : null;
    for (var each : living()) {
      awaited.add(each.index);
      var its = candidates == null ? null : candidates.getOrDefault((long) each.index, Set.of());
      send(COORDINATOR, each.index, new Message.Prepare(its));
    }
  }

  private Map<Long, List<Suspect>> suspects() {
    Map<Long, List<Suspect>> all = new TreeMap<>();
    for (var node : living()) {
      all.put(
          (long) node.index,
          node.objects.values().stream()
              .map(
                  each ->
                      new Suspect(
                          each.name.number(), each.copies.holders(), List.copyOf(each.references)))
              .toList());
    }
    return all;
  }

  private void ask() {
    poll++;
    reports = new TreeMap<>();
    toAll(new Message.Ask(poll));
  }

  private void finishRound() {
    phase = Phase.FINISHING;
    toAll(new Message.Finish());
  }

  /** Continues when all nodes have answered, or have died. */
  private void answered() {
    if (!awaited.isEmpty()) {
      return;
    }
    switch (phase) {
      case PREPARING -> {
        phase = Phase.TRYING;
        pollsBefore = poll;
        var all = Set.copyOf(participants);
        toAll(new Message.Go(all));
        awaited.clear();
      }
      case TRYING -> {
        search
            .garbage(reports)
            .forEach(
                (host, numbers) -> send(COORDINATOR, host.intValue(), new Message.Free(numbers)));
      }
      case FINISHING -> {
        phase = Phase.NONE;
        toAll(new Message.Over());
        awaited.clear();
      }
      case NONE -> {}
    }
  }

  private void prepare(Participant node, @Nullable Set<Long> candidates) {
    Set<Long> prepared = new TreeSet<>();
    for (var object : node.objects.values()) {
      var number = object.name.number();
      var isWanted = candidates == null ? random.nextInt(3) > 0 : candidates.contains(number);
      if (isWanted && !object.isDecoding) {
        object.image = List.copyOf(object.references);
        node.trials.prepared(number, object.image, object.copies.isUnreferenced());
        prepared.add(number);
      }
    }
    send(node.index, COORDINATOR, new Message.Prepared(prepared));
  }

  private void go(Participant node, Set<ObjectName> all) {
    for (var object : node.objects.values()) {
      if (node.trials.begins(object.name.number()) && without != WithoutRule.KEPT_REFERENCES) {
        object.kept = new HashSet<>(object.image);
        object.kept.removeAll(all);
      }
    }
  }

  private void free(Participant node, Set<Long> numbers) {
    for (var number : numbers) {
      var object = node.objects.get(number);
      if (object != null) {
        collected(node, object);
      }
    }
  }

  private void finish(Participant node) {
    for (var number : node.trials.unreturned()) {
      var object = node.objects.get(number);
      if (object != null) {
        returns(node, object);
      }
    }
    node.finishes = true;
    finishIfReady(node);
  }

  private void finishIfReady(Participant node) {
    var isReady =
        node.objects.values().stream().noneMatch(each -> each.isDecoding)
            && (node.unacknowledged.isEmpty() || without == WithoutRule.ACKNOWLEDGED_NAMES);
    if (node.finishes && isReady) {
      node.finishes = false;
      send(node.index, COORDINATOR, new Message.Finished());
    }
  }

  // Messages

  private void send(int from, int to, Message message) {
    if (nodes.get(to).lives) {
      links.computeIfAbsent(from * NODES + to, _ -> new ArrayDeque<>()).add(message);
    }
  }

  private void deliver(int from, Participant node, Message message) {
    switch (message) {
      case Message.Reference(var name) -> {
        arrived(node, name, from);
        node.roots.add(name);
      }
      case Message.Call(var target, var argument) -> {
        arrived(node, argument, from);
        take(node, target, argument);
      }
      case Message.Told(var name, var changes) -> {
        var object = local(node, name);
        if (object != null) {
          object.copies.told(from, changes);
          counted(node, object);
        }
      }
      case Message.Kept(var name) -> {
        var object = local(node, name);
        if (object != null) {
          object.copies.given(from);
          counted(node, object);
        }
        send(node.index, from, new Message.KeptAcknowledged());
      }
      case Message.KeptAcknowledged _ -> {
        node.unacknowledged.computeIfPresent(from, (_, count) -> count == 1 ? null : count - 1);
        finishIfReady(node);
      }
      case Message.Statement(var name, int lost, int count, long itsView) -> {
        if (node.deaths.statedBefore(lost)) {
          strikeOut(node, lost);
        }
        var object = local(node, name);
        if (object != null) {
          object.copies.stated(lost, from, count);
          counted(node, object);
        }
        send(node.index, from, new Message.Acknowledgement(itsView));
      }
      case Message.Acknowledgement(long itsView) -> acknowledged(node, itsView);
      case Message.Died(int lost, long itsView) -> applied(node, lost, itsView);
      case Message.Stated(long itsView) -> {
        statements.stated(from, itsView);
        announceSettled();
      }
      case Message.Settled(long itsView) -> settled(node, itsView);
      case Message.Prepare(var candidates) -> prepare(node, candidates);
      case Message.Prepared(var numbers) -> {
        numbers.forEach(each -> participants.add(new ObjectName(from, each)));
        answers(from);
      }
      case Message.Go(var all) -> go(node, all);
      case Message.Ask(int itsPoll) ->
          send(node.index, COORDINATOR, new Message.Answer(itsPoll, node.trials.report()));
      case Message.Answer(int itsPoll, var report) -> {
        if (itsPoll == poll) {
          reports.put((long) from, report);
          answers(from);
        }
      }
      case Message.Free(var numbers) -> free(node, numbers);
      case Message.Finish _ -> finish(node);
      case Message.Finished _ -> answers(from);
      case Message.Over _ -> node.trials.over();
    }
  }

  private void answers(int from) {
    awaited.remove(from);
    answered();
  }

  // Deaths

  private void die(Participant dying) {
    dying.lives = false;
    for (var i = 0; i < NODES; i++) {
      links.remove(i * NODES + dying.index);
      var sent = links.get(dying.index * NODES + i);
      if (sent != null && !sent.isEmpty()) {
        for (var lost = random.nextInt(sent.size() + 1); lost > 0; lost--) {
          sent.removeLast();
        }
      }
    }
    view++;
    statements.lost(dying.index, view);
    for (var each : living()) {
      if (each.index == COORDINATOR) {
        applied(each, dying.index, view);
      } else {
        send(COORDINATOR, each.index, new Message.Died(dying.index, view));
      }
    }
    announceSettled();
    if (awaited.remove(dying.index)) {
      reports.remove((long) dying.index);
      answered();
    }
  }

  private void strikeOut(Participant node, int lost) {
    for (var object : node.objects.values()) {
      object.copies.died(lost);
      counted(node, object);
    }
  }

  private void applied(Participant node, int lost, long itsView) {
    node.knownDead.add(lost);
    node.applied = itsView;
    links.remove(lost * NODES + node.index);
    node.roots.removeIf(each -> each.birth() == lost);
    node.unacknowledged.remove(lost);
    if (node.deaths.died(lost, GRID, itsView)) {
      strikeOut(node, lost);
    }
    node.unstated.put(itsView, 1);
    node.held.forEach(
        (name, copies) -> {
          var count = copies.statement(lost);
          if (count > 0 && nodes.get((int) name.birth()).lives) {
            node.unstated.merge(itsView, 1, Integer::sum);
            send(node.index, (int) name.birth(), new Message.Statement(name, lost, count, itsView));
          }
        });
    acknowledged(node, itsView);
    finishIfReady(node);
  }

  private void acknowledged(Participant node, long itsView) {
    node.unstated.computeIfPresent(itsView, (_, count) -> count == 1 ? null : count - 1);
    var upTo =
        node.unstated.keySet().stream().mapToLong(Long::longValue).min().orElse(node.applied + 1)
            - 1;
    if (node.index == COORDINATOR) {
      statements.stated(node.index, upTo);
      announceSettled();
    } else {
      send(node.index, COORDINATOR, new Message.Stated(upTo));
    }
  }

  private void announceSettled() {
    var upTo = statements.newlySettled();
    if (upTo == 0) {
      return;
    }
    for (var each : living()) {
      if (each.index == COORDINATOR) {
        settled(each, upTo);
      } else {
        send(COORDINATOR, each.index, new Message.Settled(upTo));
      }
    }
  }

  private void settled(Participant node, long itsView) {
    node.deaths.settled(GRID, itsView);
    node.objects.values().forEach(each -> counted(node, each));
  }
}
