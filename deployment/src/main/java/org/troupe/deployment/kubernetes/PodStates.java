package org.troupe.deployment.kubernetes;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.batch.BatchException;
import org.troupe.deployment.batch.JobEnd;
import org.troupe.deployment.batch.JobMonitor;
import org.troupe.deployment.batch.JobReport;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The states of the pods of one Job; the id of each is its index, as a text. */
final class PodStates implements JobMonitor {

  private static final String JOB = "Job";

  /** The reasons of events that say why the cluster deletes a pod. */
  private static final String DISRUPTIONS = "Preempted|Evicted|TaintManagerEviction|NodeNotReady";

  /**
   * The number of pods whose events are asked for at once, as most have the same reason. Each is
   * asked for by its name, since a namespace may have any number of events of other programs; an
   * API server keeps few of one object, as components combine them and limit their rate.
   */
  private static final int MOST_EXPLAINED = 8;

  private final Kubectl kubectl;
  private final String job;
  private final Consumer<Collection<PodState>> listener;
  private final Map<Integer, PodState> latest = new TreeMap<>(); // under this

  /**
   * @param job the name of the Job
   * @param listener receives all states after each question; does not block
   */
  PodStates(Kubectl kubectl, String job, Consumer<Collection<PodState>> listener) {
    this.kubectl = kubectl;
    this.job = job;
    this.listener = listener;
  }

  /** Returns the last known state of the pod of a node. */
  synchronized Optional<PodState> latest(int rank) {
    return Optional.ofNullable(latest.get(rank));
  }

  @Override
  public Map<String, JobReport> report(Collection<String> ids) throws BatchException {
    var objects =
        list("get", "jobs,pods", "--selector=" + JobManifest.selector(job), "--output=json");
    var found =
        objects
            .valueStream()
            .filter(each -> each.path("kind").asString("").equals(JOB))
            .findFirst();
    var states =
        found.isPresent() ? states(ids, objects, found.get()) : Map.<Integer, PodState>of();
    synchronized (this) {
      latest.putAll(states);
    }
    listener.accept(states.values());
    var reports = new HashMap<String, JobReport>();
    states.forEach((rank, state) -> reports.put(Integer.toString(rank), state.report()));
    return reports;
  }

  private Map<Integer, PodState> states(Collection<String> ids, JsonNode objects, JsonNode job)
      throws BatchException {
    var pods = new HashMap<Integer, JsonNode>();
    objects
        .valueStream()
        .filter(each -> each.path("kind").asString("").equals("Pod"))
        .forEach(pod -> pods.merge(PodState.rank(pod), pod, PodStates::first));
    var states = new TreeMap<Integer, PodState>();
    for (var id : ids) {
      var rank = Integer.parseInt(id);
      var pod = pods.get(rank);
      states.put(
          rank,
          pod == null ? PodState.absent(rank, latest(rank), job) : PodState.of(rank, pod, job));
    }
    explain(states);
    return states;
  }

  /** Returns the older one of two pods of an index: the node was in that one. */
  private static JsonNode first(JsonNode one, JsonNode other) {
    return created(one).compareTo(created(other)) <= 0 ? one : other;
  }

  private static String created(JsonNode pod) {
    return pod.path("metadata").path("creationTimestamp").asString("");
  }

  /** Adds reasons from events to states that do not have them. */
  private void explain(Map<Integer, PodState> states) throws BatchException {
    var waiting =
        states.values().stream()
            .filter(state -> state.needsEvents() && state.end().isEmpty())
            .toList();
    var absent = waiting.stream().filter(state -> state.name().isEmpty()).toList();
    if (!absent.isEmpty()) { // the events of the Job say why
      var event = event("type=Warning", job, "Failed.*");
      absent.forEach(state -> states.put(state.rank(), explained(state, event)));
    }
    var present =
        waiting.stream().filter(state -> !state.name().isEmpty()).limit(MOST_EXPLAINED).toList();
    for (var state : present) {
      states.put(state.rank(), explained(state, event("type=Warning", state.name(), "Failed.*")));
    }
    var deleted =
        states.values().stream()
            .filter(state -> state.needsEvents() && state.end().isPresent())
            .limit(MOST_EXPLAINED)
            .toList();
    for (var state : deleted) {
      states.put(state.rank(), explained(state, event("", state.name(), DISRUPTIONS)));
    }
  }

  private static PodState explained(PodState state, @Nullable JsonNode event) {
    return event == null || !state.needsEvents()
        ? state
        : state.explained(event.path("reason").asString(""), event.path("message").asString(""));
  }

  /**
   * Returns the last event of an object.
   *
   * @param selector what else to select by; may be empty
   * @param reasons the pattern of its reason
   * @return {@code null} if there is none
   */
  private @Nullable JsonNode event(String selector, String object, String reasons)
      throws BatchException {
    var ofObject = "involvedObject.name=" + object;
    return list(
            "get",
            "events",
            "--field-selector=" + (selector.isEmpty() ? ofObject : selector + "," + ofObject),
            "--sort-by=.lastTimestamp",
            "--output=json")
        .valueStream()
        .filter(event -> event.path("involvedObject").path("name").asString("").equals(object))
        .filter(event -> !event.path("message").asString("").startsWith("Error: ")) // no reason
        .filter(event -> event.path("reason").asString("").matches(reasons))
        .reduce((_, last) -> last)
        .orElse(null);
  }

  private JsonNode list(String... arguments) throws BatchException {
    try {
      return JobManifest.JSON.readTree(kubectl.run(arguments)).path("items");
    } catch (IOException e) {
      throw new BatchException.Away(String.valueOf(e.getMessage()));
    } catch (JacksonException e) {
      throw new BatchException.Away("kubectl's answer is no JSON: " + e.getOriginalMessage());
    }
  }

  @Override
  public JobEnd end(String id) throws BatchException {
    var rank = Integer.parseInt(id);
    var known = latest(rank).flatMap(PodState::end);
    if (known.isPresent()) {
      return known.get();
    }
    if (report(List.of(id)).isEmpty()) {
      return JobEnd.unknown(id, "Deleted: its Job was deleted");
    }
    return latest(rank)
        .flatMap(PodState::end)
        .orElseThrow(() -> new BatchException.NotEnded("pod " + id + " has not ended"));
  }
}
