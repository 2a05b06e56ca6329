package org.troupe.benchmarks.sides;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;
import org.apache.fory.Fory;
import org.apache.fory.logging.LoggerFactory;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.serialization.Acyclic;
import org.troupe.serialization.Reused;
import org.troupe.serialization.Specialisation;
import org.troupe.serialization.graph.CallCodec;
import org.troupe.serialization.graph.Serializer;

/** Repeatedly encodes a payload to a byte array and decodes it. */
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
          ArrayList.class,
          LinkedHashMap.class,
          PayloadGraph.Quote.class,
          PayloadGraph.Vertex.class,
          PayloadGraph.Vertex[].class,
          PayloadGraph.Nest.class,
          BigDecimal.class,
          BigDecimal[].class,
          LocalDate.class,
          PayloadGraph.State.class,
          PayloadGraph.Blob.class,
          byte[].class);

  /** The codecs that are compared. */
  public enum Library {
    TROUPE {
      @Override
      RoundTrip roundTrip(PayloadGraph payload) {
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
      RoundTrip roundTrip(PayloadGraph payload) {
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
      RoundTrip roundTrip(PayloadGraph payload) {
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
    /** Classes registered, references tracked, buffer reused. */
    KRYO {
      @Override
      RoundTrip roundTrip(PayloadGraph payload) {
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
      RoundTrip roundTrip(PayloadGraph payload) {
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
    /** Generated codecs of the classes, without specialisation of the call. */
    CLASS {
      @Override
      RoundTrip roundTrip(PayloadGraph payload) {
        return call(payload, Specialisation.values());
      }
    },
    /** One flat marshaller for the whole call, generated for the classes seen at the call site. */
    SITE {
      @Override
      RoundTrip roundTrip(PayloadGraph payload) {
        return call(payload, Specialisation.UNTRACKED, Specialisation.REUSE);
      }
    },
    /** Also without an identity table, since the argument is declared acyclic. */
    SITE_CYCLE {
      @Override
      RoundTrip roundTrip(PayloadGraph payload) {
        return call(payload, Specialisation.REUSE);
      }
    },
    /** {@link #SITE}, with the argument decoded into the objects of the previous call. */
    SITE_REUSE {
      @Override
      RoundTrip roundTrip(PayloadGraph payload) {
        return call(payload, Specialisation.UNTRACKED);
      }
    },
    ALL {
      @Override
      RoundTrip roundTrip(PayloadGraph payload) {
        return call(payload);
      }
    };

    abstract RoundTrip roundTrip(PayloadGraph payload);

    /** Returns the size of the encoded payload. */
    public int size(PayloadGraph payload) {
      throw new UnsupportedOperationException(this + " is compared by time only");
    }
  }

  /** Methods whose parameters permit all specialisations. */
  interface Receiver {
    void list(@Acyclic @Reused PayloadGraph.Item first);

    void rows(@Acyclic @Reused double[][] rows);
  }

  @SuppressWarnings("NullAway") // decode() always returns the array of the arguments
  private static RoundTrip call(PayloadGraph payload, Specialisation... off) {
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

  /** Encodes and decodes a value. */
  interface RoundTrip {
    @Nullable Object copy(Object value) throws Exception;
  }

  private static @Nullable Object last; // keeps the compiler from removing unused results

  private SerializationLoop() {}

  static void main(String[] arguments) throws Exception {
    var payload = PayloadGraph.valueOf(arguments[0]);
    var roundTrip = Library.valueOf(arguments[1]).roundTrip(payload);
    var value = payload.make();
    TurnProtocol.Work work =
        times -> {
          for (var i = 0; i < times; i++) {
            last = roundTrip.copy(value);
          }
        };
    TurnProtocol.serve(
        _ -> millis -> TurnProtocol.microsEach(work, millis), Integer.parseInt(arguments[2]));
  }
}
