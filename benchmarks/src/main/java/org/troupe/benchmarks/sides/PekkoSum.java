package org.troupe.benchmarks.sides;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.Map;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;

/** An actor of Pekko that adds numbers: the other side of {@link LocalCalls.Sum}. */
final class PekkoSum extends AbstractActor {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** The message that asks for the total. */
  private enum Total {
    TOTAL
  }

  private long total;

  /** Starts the actor in a system of its own, with the default dispatcher. */
  static ActorRef start() {
    var settings =
        Map.of("pekko.daemonic", "on", "pekko.loglevel", "OFF", "pekko.stdout-loglevel", "OFF");
    var config = ConfigFactory.parseMap(settings).withFallback(ConfigFactory.load());
    return ActorSystem.create("benchmark", config)
        .actorOf(Props.create(PekkoSum.class, PekkoSum::new));
  }

  /** Asks for the total, and waits for it. */
  static long total(ActorRef actor) {
    return (Long) Patterns.ask(actor, Total.TOTAL, LIMIT).toCompletableFuture().join();
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(Long.class, value -> total += value)
        .matchEquals(Total.TOTAL, _ -> getSender().tell(total, getSelf()))
        .build();
  }
}
