package org.troupe.benchmarks;

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
import org.troupe.serialization.Acyclic;
import org.troupe.serialization.CallCodec;
import org.troupe.serialization.Reused;
import org.troupe.serialization.Serializer;
import org.troupe.serialization.Specialisation;

/** Writes a payload into an array of bytes and reads it, over and over. */
final class Serializing {

  private static final List<Class<?>> TYPES =
      List.of(
          Payload.Item.class,
          Payload.Tree.class,
          Payload.Face.class,
          Payload.Face[].class,
          Payload.Person.class,
          Payload.Address.class,
          double[].class,
          double[][].class,
          int[].class,
          ArrayList.class);

  /** Who serializes. */
  enum By {
    TROUPE {
      @Override
      Way way(Payload payload) {
        var serializer = Serializer.builder().build();
        return value ->
            serializer.decode(serializer.encode(value), serializer.ownTypes(), token -> token)[0];
      }

      @Override
      int size(Payload payload) {
        return Serializer.builder().build().encode(payload.make()).bytes().length;
      }
    },
    HAND {
      @Override
      Way way(Payload payload) {
        var hand = new HandWritten();
        return value -> hand.read(payload, hand.write(payload, value));
      }

      @Override
      int size(Payload payload) {
        return new HandWritten().write(payload, payload.make()).length;
      }
    },
    /** Classes registered, references tracked, generated code. */
    FORY {
      @Override
      Way way(Payload payload) {
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
      Way way(Payload payload) {
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
      Way way(Payload payload) {
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
      Way way(Payload payload) {
        return call(payload, Specialisation.values());
      }
    },
    /** The whole call as one flat marshaller, made for the classes seen there. */
    SITE {
      @Override
      Way way(Payload payload) {
        return call(payload, Specialisation.UNTRACKED, Specialisation.REUSE);
      }
    },
    /** Besides, nothing is looked up: the argument is declared to be without sharing. */
    SITE_CYCLE {
      @Override
      Way way(Payload payload) {
        return call(payload, Specialisation.REUSE);
      }
    },
    /** Besides, the argument is read into the objects of the call before. */
    SITE_REUSE {
      @Override
      Way way(Payload payload) {
        return call(payload, Specialisation.UNTRACKED);
      }
    },
    ALL {
      @Override
      Way way(Payload payload) {
        return call(payload);
      }
    };

    abstract Way way(Payload payload);

    /** How many bytes the payload takes. */
    int size(Payload payload) {
      throw new UnsupportedOperationException(this + " is compared by time only");
    }
  }

  /** Methods whose arguments are declared to be all that an encoder could wish. */
  interface Receiver {
    void list(@Acyclic @Reused Payload.Item first);

    void rows(@Acyclic @Reused double[][] rows);
  }

  private static Way call(Payload payload, Specialisation... off) {
    var serializer = Serializer.builder().without(off).build();
    var method = payload == Payload.LIST_100 ? "list" : "rows";
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

  private Serializing() {}

  static void main(String[] arguments) throws Exception {
    var payload = Payload.valueOf(arguments[0]);
    var way = By.valueOf(arguments[1]).way(payload);
    var value = payload.make();
    Turns.Work work =
        times -> {
          for (var i = 0; i < times; i++) {
            last = way.copy(value);
          }
        };
    Turns.take(_ -> millis -> Turns.microsEach(work, millis), Integer.parseInt(arguments[2]));
  }
}
