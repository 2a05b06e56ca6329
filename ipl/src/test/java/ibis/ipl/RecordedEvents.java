package ibis.ipl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A handler that writes down what it is told; events of members by their names. */
public final class RecordedEvents implements RegistryEventHandler {

  private final List<String> events = new ArrayList<>();

  private synchronized void add(String event) {
    events.add(event);
    notifyAll();
  }

  public synchronized List<String> all() {
    return List.copyOf(events);
  }

  /** Waits until an event has come; returns all until then. */
  public List<String> await(String event) throws InterruptedException {
    return await(event, 1);
  }

  /** Waits until an event has come so many times; returns all until then. */
  public synchronized List<String> await(String event, int times) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (Collections.frequency(events, event) < times) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      assertThat(left).as("milliseconds left for event '%s' after %s", event, events).isPositive();
      wait(left);
    }
    return List.copyOf(events);
  }

  @Override
  public void joined(IbisIdentifier joinedIbis) {
    add("joined " + joinedIbis.name());
  }

  @Override
  public void left(IbisIdentifier leftIbis) {
    add("left " + leftIbis.name());
  }

  @Override
  public void died(IbisIdentifier corpse) {
    add("died " + corpse.name());
  }

  @Override
  public void gotSignal(String signal, IbisIdentifier source) {
    add("signal " + signal + " of " + source.name());
  }

  @Override
  public void electionResult(String electionName, IbisIdentifier winner) {
    add("elected " + electionName + " " + (winner == null ? "nobody" : winner.name()));
  }

  @Override
  public void poolClosed() {
    add("closed");
  }

  @Override
  public void serverLost(String reason) {
    add("server lost");
  }

  @Override
  public void serverFound() {
    add("server found");
  }

  @Override
  public void poolTerminated(IbisIdentifier source) {
    add("terminated by " + source.name());
  }
}
