package org.troupe.benchmarks.sides;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.fory.Fory;
import org.apache.fory.logging.LoggerFactory;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.serialization.Acyclic;
import org.troupe.serialization.Reused;
import org.troupe.serialization.Specialisation;
import org.troupe.serialization.graph.CallCodec;
import org.troupe.serialization.graph.Serializer;

/** Writes a payload into an array of bytes and reads it, over and over. */
public final class SerializationLoop {

  private static final List<Class<?>> TYPES =
      List.of(
          PayloadGraph.Item.class,
          PayloadGraph.Tree.class,
          PayloadGraph.Face.class,
          PayloadGraph.Face[].class,
          PayloadGraph.Person.class,
          PayloadGraph.Address.class,
          double[].class,
          double[][].class,
          int[].class,
          ArrayList.class);

  /** Who serializes. */
  public enum By {
    TROUPE {
      @Override
      Way way(PayloadGraph payload) {
        var serializer = Serializer.builder().build();
        return value ->
            serializer.decode(serializer.encode(value), serializer.ownTypes(), token -> token)[0];
      }

      @Override
      public int size(PayloadGraph payload) {
        return Serializer.builder().build().encode(payload.make()).bytes().length;
      }
    },
    HAND {
      @Override
      Way way(PayloadGraph payload) {
        var hand = new HandWrittenCodec();
        return value -> hand.read(payload, hand.write(payload, value));
      }

      @Override
      public int size(PayloadGraph payload) {
        return new HandWrittenCodec().write(payload, payload.make()).length;
      }
    },
    /** Classes registered, references tracked, generated code. */
    FORY {
      @Override
      Way way(PayloadGraph payload) {
        LoggerFactory.disableLogging();
        var fory =
            Fory.builder()
                .withXlang(false)
                .withRefTracking(true)
                .requireClassRegistration(true)
                .withMaxDepth(1 << 20)
                .build();
        TYPES.forEach(fory::register);
        return value -> fory.deserialize(fory.serialize(value));
      }
    },
    /** Classes registered, references tracked, buffer used again. */
    KRYO {
      @Override
      Way way(PayloadGraph payload) {
        var kryo = new Kryo();
        kryo.setReferences(true);
        kryo.setRegistrationRequired(true);
        TYPES.forEach(kryo::register);
        var output = new Output(4096, -1);
        return value -> {
          output.reset();
          kryo.writeClassAndObject(output, value);
          return kryo.readClassAndObject(new Input(output.toBytes()));
        };
      }
    },
    JAVA_IO {
      @Override
      Way way(PayloadGraph payload) {
        return value -> {
          var bytes = new ByteArrayOutputStream();
          try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
          }
          try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
          }
        };
      }
    },
    /** Generated codecs of the classes; nothing special about the call. */
    CLASS {
      @Override
      Way way(PayloadGraph payload) {
        return call(payload, Specialisation.values());
      }
    },
    /** The whole call as one flat marshaller, made for the classes seen there. */
    SITE {
      @Override
      Way way(PayloadGraph payload) {
        return call(payload, Specialisation.UNTRACKED, Specialisation.REUSE);
      }
    },
    /** Besides, nothing is looked up: the argument is declared to be without sharing. */
    SITE_CYCLE {
      @Override
      Way way(PayloadGraph payload) {
        return call(payload, Specialisation.REUSE);
      }
    },
    /** Besides, the argument is read into the objects of the call before. */
    SITE_REUSE {
      @Override
      Way way(PayloadGraph payload) {
        return call(payload, Specialisation.UNTRACKED);
      }
    },
    ALL {
      @Override
      Way way(PayloadGraph payload) {
        return call(payload);
      }
    };

    abstract Way way(PayloadGraph payload);

    /** How many bytes the payload takes. */
    public int size(PayloadGraph payload) {
      throw new UnsupportedOperationException(this + " is compared by time only");
    }
  }

  /** Methods whose arguments are declared to be all that an encoder could wish. */
  interface Receiver {
    void list(@Acyclic @Reused PayloadGraph.Item first);

    void rows(@Acyclic @Reused double[][] rows);
  }

  private static Way call(PayloadGraph payload, Specialisation... off) {
    var serializer = Serializer.builder().without(off).build();
    var method = payload == PayloadGraph.LIST_100 ? "list" : "rows";
    var called =
        Stream.of(Receiver.class.getDeclaredMethods())
            .filter(m -> m.getName().equals(method))
            .findAny()
            .orElseThrow();
    var codec = serializer.callCodec(called);
    var previous = new CallCodec.Previous();
    return value ->
        codec.decode(codec.encode(value), serializer.ownTypes(), token -> token, previous)[0];
  }

  /** Through bytes and back. */
  interface Way {
    Object copy(Object value) throws Exception;
  }

  private static Object last; // so that nothing is left out as useless

  private SerializationLoop() {}

  static void main(String[] arguments) throws Exception {
    var payload = PayloadGraph.valueOf(arguments[0]);
    var way = By.valueOf(arguments[1]).way(payload);
    var value = payload.make();
    TurnProtocol.Work work =
        times -> {
          for (var i = 0; i < times; i++) {
            last = way.copy(value);
          }
        };
    TurnProtocol.take(
        _ -> millis -> TurnProtocol.microsEach(work, millis), Integer.parseInt(arguments[2]));
  }
}
