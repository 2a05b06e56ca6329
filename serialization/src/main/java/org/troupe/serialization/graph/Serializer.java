package org.troupe.serialization.graph;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.Acyclic;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.Reused;
import org.troupe.serialization.SerializationCounts;
import org.troupe.serialization.Specialisation;
import org.troupe.serialization.Substitution;
import org.troupe.serialization.TokenResolver;
import org.troupe.serialization.TypeFilter;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.classes.RefusalReasons;
import org.troupe.serialization.internal.codecs.PlatformCodecs;
import org.troupe.serialization.internal.codecs.RefusedCodec;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.DecodingContext;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.coder.EncodingContext;
import org.troupe.serialization.internal.coder.ForeignTypes;
import org.troupe.serialization.internal.coder.RegisteredCodec;
import org.troupe.serialization.internal.coder.ReusableValues;
import org.troupe.serialization.internal.registry.CallSite;
import org.troupe.serialization.internal.registry.ClassResolver;
import org.troupe.serialization.internal.registry.CodecRegistry;
import org.troupe.serialization.internal.registry.ImmutableValues;
import org.troupe.serialization.internal.registry.JavaIo;
import org.troupe.serialization.internal.resources.SerializationCounters;
import org.troupe.serialization.internal.wire.WireFormat;

/**
 * Encodes and decodes object graphs, for one incarnation of a JVM.
 *
 * <p>Classes need not be {@link java.io.Serializable}, but their {@code java.io} hooks are honoured
 * if they are. Sharing and cycles are kept, across the roots of one encoding too. May be shared
 * between threads.
 *
 * <p>Graphs from other senders are decoded within the {@link TypeFilter} and the {@link
 * GraphLimits}; types in {@link #ownTypes()}, which this serializer has encoded itself, need no
 * permission.
 */
public final class Serializer {

  /*
   * Class unloading. Type ids are assigned in order of first use and belong to this serializer;
   * codecs are shared by all serializers. Both are attached to the classes (ClassValue), so the
   * class loader of an application that has ended can be unloaded; the serializer's own type table
   * keeps definitions only. The attached values refer to no serializer, or the class would keep it.
   */

  private final TypeFilter filter;
  private final GraphLimits limits;
  private final Substitution substitution;
  private final TokenResolver resolver;
  private final @Nullable ClassLoader loader;
  private final boolean asJava;

  private final TypeTable ownTypes = new TypeTable();
  private final RecurringTypes streamedTypes = new RecurringTypes();
  private final AtomicInteger nextId = new AtomicInteger();
  private final Map<String, WeakReference<Class<?>>> encodedClasses = new ConcurrentHashMap<>();
  private final Set<Specialisation> specialisations;
  private final @Nullable SerializationCounters counters; // null where nothing is counted
  private final EncodingContext encoding;
  private final DecodingContext decoding;

  private Serializer(Builder builder) {
    this.filter = builder.filter;
    this.limits = builder.limits;
    this.substitution = builder.substitution;
    this.resolver = builder.resolver;
    this.loader = builder.loader;
    this.asJava = builder.asJava;
    this.specialisations = Set.copyOf(builder.specialisations);
    this.counters = builder.counts ? new SerializationCounters() : null;
    this.encoding =
        new EncodingContext(
            limits, substitution, builder.asJava, specialisations, counters, this::register);
    this.decoding =
        new DecodingContext(limits, substitution::carried, CodecRegistry.keyClasses(), counters);
  }

  /** Returns a builder of a serializer that accepts platform types only. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Encodes object graphs; later changes to the objects do not show.
   *
   * @throws org.troupe.serialization.SerializationException if an object cannot travel, naming its
   *     path
   */
  public EncodedGraph encode(Object... roots) {
    try {
      return Encoder.encode(encoding, false, roots);
    } catch (CodecFailure f) {
      throw f.toException("cannot encode");
    }
  }

  /**
   * Encodes object graphs, but sets primitive arrays of {@value EncodedGraph#APART_BYTES} bytes and
   * more apart, uncopied, in {@link EncodedGraph#arrays()}: until those are sent or copied, changes
   * to them show.
   *
   * <p>Decoding makes these arrays parts of the decoded graph. So the result may be decoded only
   * once, with arrays that have no other owner: those that a transport has read, or those of {@link
   * EncodedGraph#withArraysCopied()}.
   *
   * @throws org.troupe.serialization.SerializationException if an object cannot travel, naming its
   *     path
   */
  public EncodedGraph encodeZeroCopy(Object... roots) {
    try {
      return Encoder.encode(encoding, true, roots);
    } catch (CodecFailure f) {
      throw f.toException("cannot encode");
    }
  }

  /**
   * Decodes the roots that a sender encoded.
   *
   * @param sender the definitions of the sender's type ids
   * @param side gives the objects for the tokens of the side table
   * @throws org.troupe.serialization.SerializationException if the bytes are malformed, exceed the
   *     limits or name types that are not allowed, do not exist or are not the same here
   */
  public Object[] decode(EncodedGraph body, TypeTable sender, TokenResolver side) {
    ClassResolver names =
        new ClassResolver(loader(), sender == ownTypes ? null : filter, sender.source());
    try {
      return decoding.decode(body, new Foreign(sender, names), side);
    } catch (CodecFailure f) {
      throw f.toException("cannot decode");
    }
  }

  /**
   * Returns a codec for the arguments of one method, or for its result, as the values of places
   * with these types.
   *
   * <p>It is worth keeping: it learns which classes come.
   */
  public CallCodec callCodec(Class<?>... types) {
    boolean[] none = new boolean[types.length];
    return new CallCodec(this, types.clone(), none, none);
  }

  /**
   * Returns a codec for the arguments of a method, which honours {@link Acyclic} and {@link
   * Reused}.
   */
  public CallCodec callCodec(Method method) {
    Parameter[] parameters = method.getParameters();
    boolean[] acyclic = new boolean[parameters.length];
    boolean[] reused = new boolean[parameters.length];
    for (int i = 0; i < parameters.length; i++) {
      acyclic[i] = parameters[i].isAnnotationPresent(Acyclic.class);
      reused[i] = parameters[i].isAnnotationPresent(Reused.class);
    }
    return new CallCodec(this, method.getParameterTypes(), acyclic, reused);
  }

  /**
   * Returns a codec for the result of a method, which honours {@link Acyclic} and {@link Reused} on
   * the method itself.
   */
  public CallCodec resultCodec(Method method) {
    return new CallCodec(
        this,
        new Class<?>[] {method.getReturnType()},
        new boolean[] {method.isAnnotationPresent(Acyclic.class)},
        new boolean[] {method.isAnnotationPresent(Reused.class)});
  }

  boolean uses(Specialisation specialisation) {
    return specialisations.contains(specialisation);
  }

  EncodedGraph encode(CallSite site, boolean setsArraysApart, Object[] values) {
    return site.encode(encoding, setsArraysApart, values);
  }

  Object @Nullable [] decode(
      CallSite site,
      EncodedGraph body,
      TypeTable sender,
      TokenResolver side,
      @Nullable ReusableValues previous) {
    ClassResolver names =
        new ClassResolver(loader(), sender == ownTypes ? null : filter, sender.source());
    return site.decode(decoding, body, new Foreign(sender, names), side, previous);
  }

  /**
   * Returns a stream of graphs, to be read by a {@link #reader} of any serializer.
   *
   * <p>A token of the {@link Substitution} is written as an ordinary object, in the place of the
   * object that it stands for.
   */
  public GraphWriter writer(ByteOutput out) {
    return new GraphWriter(encoding, ownTypes, limits, out);
  }

  /**
   * Returns a reader of a stream of graphs, within the filter and the limits; the builder's
   * resolver gives the objects for tokens.
   */
  public GraphReader reader(ByteInput in) {
    TypeTable sender = new TypeTable(streamedTypes);
    return new GraphReader(
        sender,
        () -> new Foreign(sender, new ClassResolver(loader(), filter, sender.source())),
        limits,
        resolver,
        in);
  }

  /**
   * Returns a stream of {@code java.io} that makes only objects of classes within the filter, and
   * keeps the limits; its {@code readObject} throws {@code SerializationException} for others.
   *
   * @param size returns the largest possible number of bytes of the message being read, which
   *     bounds array lengths
   */
  public ObjectInputStream objectInput(InputStream in, IntSupplier size) throws IOException {
    return JavaIo.open(in, new ClassResolver(loader(), filter, _ -> null), limits, size);
  }

  /**
   * Returns the table of this serializer's own ids: for its receivers, and for copies in this JVM.
   */
  public TypeTable ownTypes() {
    return ownTypes;
  }

  /**
   * Returns the class of a name of which this serializer has encoded an object, or {@code null}; so
   * that a receiver that does not know it can be told where it comes from.
   */
  public @Nullable Class<?> encodedClass(String name) {
    WeakReference<Class<?>> known = encodedClasses.get(name);
    return known == null ? null : known.get();
  }

  /**
   * Returns a deep copy; tokens are resolved by the builder's resolver, by default to themselves.
   */
  public <T> T copy(T value) {
    @SuppressWarnings(
        "unchecked") // a copy has the class of its original, or is the object that a token stands
    // for
    T copy = (T) copy(value, resolver);
    return copy;
  }

  /** Returns a deep copy in which a resolver replaces the tokens. */
  public Object copy(Object value, TokenResolver side) {
    return isImmutable(value) ? value : decode(encode(value), ownTypes, side)[0];
  }

  /**
   * Returns the counts so far, without those of graph streams; all zero if this serializer does not
   * count.
   */
  public SerializationCounts tally() {
    return counters == null ? SerializationCounts.NONE : counters.tally();
  }

  /**
   * Returns whether a value may be shared instead of copied: {@code null}, boxes, strings, enums,
   * {@code java.time}, big numbers and the like, and records, optionals and small {@code List.of}
   * and its kin if all they hold is immutable. Takes nanoseconds, and never calls the value's code.
   */
  public static boolean isImmutable(Object value) {
    return ImmutableValues.isImmutable(value);
  }

  private ClassLoader loader() {
    if (loader != null) {
      return loader;
    }
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null ? context : Serializer.class.getClassLoader();
  }

  private RegisteredCodec register(Class<?> type) {
    Codec codec = CodecRegistry.of(type, asJava);
    if (codec.tag() > 0) {
      return new RegisteredCodec(codec, codec.tag());
    }
    if (!CodecRegistry.isSupported(codec)) {
      return new RegisteredCodec(codec, 0);
    }
    if (CodecRegistry.needsPermission(codec)
        && !filter.allows(type)
        && !TypeFilter.platform().allows(type)) {
      // An object that replaces itself need not travel itself.
      return codec.writeReplace() == null
          ? new RegisteredCodec(new RefusedCodec(type, RefusalReasons.notAllowed(type)), 0)
          : new RegisteredCodec(codec, EncodingContext.REFUSED);
    }
    encodedClasses.put(type.getName(), new WeakReference<>(type));
    int id = nextId.getAndIncrement();
    TypeDefinition definition = new TypeDefinition(id, codec.layout().encode());
    ownTypes.define(definition);
    ownTypes.entry(id).bind(this, null, codec);
    return new RegisteredCodec(codec, WireFormat.tagOf(id));
  }

  /** The types of one sender, as this serializer understands them. */
  private final class Foreign implements ForeignTypes {

    private final TypeTable table;
    private final ClassResolver names;

    Foreign(TypeTable table, ClassResolver names) {
      this.table = table;
      this.names = names;
    }

    @Override
    public Codec codec(int tag) {
      if (tag < WireFormat.FIRST_TYPE) {
        return PlatformCodecs.listed(tag);
      }
      TypeTable.Entry entry = table.entry(tag - WireFormat.FIRST_TYPE);
      Codec known = entry.codecFor(Serializer.this, names.loader());
      if (known != null) {
        return known;
      }
      Codec codec = names.codec(entry.definition.encoded(), asJava);
      entry.bind(Serializer.this, names.loader(), codec);
      return codec;
    }

    @Override
    public Class<?> classNamed(String name) {
      return names.classValue(name);
    }
  }

  /** Collects what a serializer needs; each has a default. */
  public static final class Builder {

    private TypeFilter filter = TypeFilter.platform();
    private GraphLimits limits = GraphLimits.standard();
    private Substitution substitution = EncodingContext.NOTHING;
    private final Set<Specialisation> specialisations = EnumSet.allOf(Specialisation.class);
    private boolean counts;
    private boolean asJava;
    private TokenResolver resolver = token -> token;
    private @Nullable ClassLoader loader;

    private Builder() {}

    /**
     * Sets which types others may send; by default {@link TypeFilter#platform()}. Of the platform's
     * classes this serializer sends what this filter or that one allows.
     */
    public Builder allow(TypeFilter filter) {
      this.filter = Objects.requireNonNull(filter);
      return this;
    }

    /** Sets the limits; by default {@link GraphLimits#standard()}. */
    public Builder limits(GraphLimits limits) {
      this.limits = Objects.requireNonNull(limits);
      return this;
    }

    /** Sets the substitution of certain objects by tokens; by default there is none. */
    public Builder substitution(Substitution substitution) {
      this.substitution = Objects.requireNonNull(substitution);
      return this;
    }

    /** Disables optimisations, to measure their effect; by default none. */
    public Builder without(Specialisation... specialisations) {
      return without(List.of(specialisations));
    }

    /** Disables optimisations, as {@link #without(Specialisation...)} does. */
    public Builder without(Collection<Specialisation> specialisations) {
      this.specialisations.removeAll(specialisations);
      return this;
    }

    /**
     * Treats superclasses that are not {@link java.io.Serializable} of classes that are as {@code
     * java.io} does: their fields stay behind, and their constructor without arguments runs. By
     * default, and without such a constructor, their fields travel.
     */
    public Builder superclassesAsJava() {
      this.asJava = true;
      return this;
    }

    /**
     * Enables the counts of {@link Serializer#tally}, for measurements; by default nothing is
     * counted.
     */
    public Builder counting(boolean counts) {
      this.counts = counts;
      return this;
    }

    /**
     * Sets the resolver of tokens in {@link Serializer#copy(Object)}; by default tokens remain as
     * they are.
     */
    public Builder resolver(TokenResolver resolver) {
      this.resolver = Objects.requireNonNull(resolver);
      return this;
    }

    /**
     * Sets the loader that finds classes by name; by default the context class loader of the
     * decoding thread, or else the loader of this library.
     */
    public Builder classLoader(ClassLoader loader) {
      this.loader = loader;
      return this;
    }

    /** Returns a new serializer, whose type ids start at 0. */
    public Serializer build() {
      return new Serializer(this);
    }
  }
}
