package org.troupe.benchmarks.sides;

import com.typesafe.config.ConfigFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.persistence.AbstractPersistentActor;

/** A persistent actor of Pekko that adds up the lengths of its events. */
final class PekkoAccount extends AbstractPersistentActor {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The question for the total, which is answered when all events before it are kept. */
  private enum Total {
    TOTAL
  }

  private final String id;
  private long total;

  private PekkoAccount(String id) {
    this.id = id;
  }

  /** Starts actors in a system of their own, whose journal is in a folder. */
  static List<ActorRef> start(int count, boolean isSynced, Path folder) {
    Map<String, Object> settings =
        Map.of(
            "pekko.daemonic", "on",
            "pekko.loglevel", "OFF",
            "pekko.stdout-loglevel", "OFF",
            "pekko.persistence.journal.plugin", "pekko.persistence.journal.leveldb",
            "pekko.persistence.journal.leveldb.dir", folder.resolve("journal").toString(),
            "pekko.persistence.journal.leveldb.native", "off",
            "pekko.persistence.journal.leveldb.fsync", isSynced ? "on" : "off");
    var config = ConfigFactory.parseMap(settings).withFallback(ConfigFactory.load());
    var system = ActorSystem.create("benchmark", config);
    List<ActorRef> actors = new ArrayList<>();
    for (var i = 0; i < count; i++) {
      var id = "account-" + i;
      actors.add(system.actorOf(Props.create(PekkoAccount.class, () -> new PekkoAccount(id)), id));
    }
    return actors;
  }

  /** Sends an event. */
  static void add(ActorRef actor, byte[] event) {
    actor.tell(event, ActorRef.noSender());
  }

  /** Asks for the total. */
  static CompletableFuture<Object> total(ActorRef actor) {
    return Patterns.ask(actor, Total.TOTAL, LIMIT).toCompletableFuture();
  }

  @Override
  public String persistenceId() {
    return id;
  }

  @Override
  public Receive createReceive() {
    // Asynchronous, so that the journal writes many events at once.
    return receiveBuilder()
        .match(byte[].class, event -> persistAsync(event, kept -> total += kept.length))
        .matchEquals(
            Total.TOTAL, asked -> deferAsync(asked, _ -> getSender().tell(total, getSelf())))
        .build();
  }

  @Override
  public Receive createReceiveRecover() {
    return receiveBuilder().match(byte[].class, event -> total += event.length).build();
  }
}
