package org.troupe.serialization.internal.classes;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The classes whose objects cannot travel, each with the reason and an alternative. */
public final class RefusalReasons {

  private static final Map<Class<?>, String> REASONS = new LinkedHashMap<>();

  static {
    String handle = "make the field transient, or send what it was made of and open it again there";
    REASONS.put(
        Thread.class, "a thread runs in its own JVM; make the field transient and start one there");
    REASONS.put(ThreadGroup.class, "threads run in their own JVM; make the field transient");
    REASONS.put(
        ThreadLocal.class,
        "its values belong to threads of this JVM; make the field static or transient");
    REASONS.put(
        ClassLoader.class, "classes are found by name on the other side; make the field transient");
    REASONS.put(Module.class, "modules belong to one JVM; send the name");
    REASONS.put(
        Process.class, "a process belongs to one host; send what it was started with, or its pid");
    String text = "send its text";
    REASONS.put(java.io.ByteArrayOutputStream.class, "send its toByteArray()");
    REASONS.put(java.io.StringWriter.class, text);
    REASONS.put(java.util.StringJoiner.class, text);
    REASONS.put(java.util.regex.Matcher.class, "send its pattern and the text");
    REASONS.put(
        java.time.format.DateTimeFormatter.class,
        "send the pattern it was made of, or make the field static");
    REASONS.put(
        java.security.SecureRandom.class,
        "its state is secret; make the field transient and create one there");
    REASONS.put(java.util.Scanner.class, "it reads in this JVM; send the text");
    String meeting =
        "threads of this JVM meet at it; make the field transient, or let them meet by calls to an active object";
    REASONS.put(java.util.concurrent.CountDownLatch.class, meeting);
    REASONS.put(java.util.concurrent.CyclicBarrier.class, meeting);
    REASONS.put(java.util.concurrent.Phaser.class, meeting);
    REASONS.put(java.util.concurrent.Exchanger.class, meeting);
    REASONS.put(java.io.InputStream.class, "a stream is open in this JVM only; " + handle);
    REASONS.put(java.io.OutputStream.class, "a stream is open in this JVM only; " + handle);
    REASONS.put(java.io.Reader.class, "a reader is open in this JVM only; " + handle);
    REASONS.put(java.io.Writer.class, "a writer is open in this JVM only; " + handle);
    REASONS.put(java.io.RandomAccessFile.class, "a file is open in this JVM only; " + handle);
    REASONS.put(java.net.Socket.class, "a socket is open in this JVM only; " + handle);
    REASONS.put(java.net.ServerSocket.class, "a socket is open in this JVM only; " + handle);
    REASONS.put(java.net.DatagramSocket.class, "a socket is open in this JVM only; " + handle);
    REASONS.put(java.nio.channels.Channel.class, "a channel is open in this JVM only; " + handle);
    REASONS.put(
        java.nio.Buffer.class, "a buffer may lie outside the heap; send an array of its content");
    REASONS.put(
        java.nio.file.Path.class,
        "a path in an archive belongs to a file system of this JVM; send its toString()");
    REASONS.put(
        java.util.stream.BaseStream.class, "a stream is used where it was made; send a list");
    REASONS.put(
        java.util.Iterator.class, "an iterator cannot leave its collection; send the collection");
    REASONS.put(
        java.util.concurrent.Executor.class,
        "its threads run in this JVM; make the field transient and create one there");
    REASONS.put(
        java.util.concurrent.Future.class,
        "it is completed within this JVM; wait for it and send its result, or return it from a method of an active object");
    REASONS.put(
        java.util.Timer.class,
        "its thread runs in this JVM; make the field transient and create one there");
    REASONS.put(
        java.lang.ref.Reference.class,
        "it refers to memory of this JVM; make the field transient, or send what it refers to");
    REASONS.put(
        java.lang.ref.Cleaner.class, "its thread runs in this JVM; make the field transient");
    REASONS.put(
        java.lang.invoke.MethodHandle.class, "code does not travel; send the name of the method");
    REASONS.put(
        java.lang.invoke.VarHandle.class, "code does not travel; send the name of the field");
    REASONS.put(
        java.lang.invoke.MethodHandles.Lookup.class,
        "it is a right within this JVM; make the field transient");
    REASONS.put(
        java.lang.reflect.AccessibleObject.class,
        "reflective objects belong to one JVM; send the class and the name");
    REASONS.put(
        java.lang.foreign.MemorySegment.class,
        "memory may lie outside the heap; send an array of its content");
    REASONS.put(
        java.lang.foreign.Arena.class, "memory belongs to one JVM; make the field transient");
  }

  private RefusalReasons() {}

  public static void check(Class<?> type, boolean serializable) {
    for (Map.Entry<Class<?>, String> entry : REASONS.entrySet()) {
      // Some implementations of an interface are made to travel: a ForkJoinTask, a user's iterator.
      boolean mayTravel =
          entry.getKey().isInterface() && (serializable || !ClassKinds.isPlatform(type));
      if (entry.getKey().isAssignableFrom(type) && !mayTravel) {
        throw refused(type, entry.getValue());
      }
    }
    if (type.isHidden() && !(serializable && PlatformReflection.hasWriteReplace(type))) {
      throw refused(
          type,
          ClassKinds.isLambda(type)
              ? "a lambda has no name that the other side could find; cast it to (Type & Serializable), or use a class"
              : "a hidden class has no name that the other side could find; send what it stands for");
    }
    if (serializable) {
      return;
    }
    boolean collection =
        Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
    if (ClassKinds.isPlatform(type) && collection) {
      throw refused(
          type,
          "it is made for this JVM; send a copy, such as new %s<>(it)"
              .formatted(
                  Map.class.isAssignableFrom(type)
                      ? "HashMap"
                      : java.util.Set.class.isAssignableFrom(type) ? "HashSet" : "ArrayList"));
    }
    if (ClassKinds.isPlatform(type)) {
      throw refused(
          type,
          "its fields are closed and it is not Serializable; make the field transient, or send what it was made of");
    }
    checkSuperclasses(type);
  }

  /** Returns the reason for a class of the platform that receivers do not allow. */
  public static String notAllowed(Class<?> type) {
    String instead =
        java.net.URL.class == type
            ? "send its toURI()"
            : java.text.Format.class.isAssignableFrom(type)
                ? "send its pattern"
                : "send what it was made of";
    return "an object of class '%s' cannot travel: it is none of the platform's types for values, and no receiver takes others; %s, or add it to the allow-list of all nodes (troupe.serialization.allow)"
        .formatted(type.getName(), instead);
  }

  /** Requires that the platform classes above a class have no fields to send. */
  private static void checkSuperclasses(Class<?> type) {
    for (Class<?> c = type.getSuperclass(); c != null; c = c.getSuperclass()) {
      if (!ClassKinds.isPlatform(c)) {
        continue;
      }
      for (var field : c.getDeclaredFields()) {
        if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
          throw refused(
              type,
              "it extends '%s', whose field '%s' is closed; send what it was made of instead"
                  .formatted(c.getName(), field.getName()));
        }
      }
    }
  }

  private static CodecFailure refused(Class<?> type, String reason) {
    return new CodecFailure(
        "an object of class '%s' cannot travel: %s".formatted(type.getName(), reason));
  }
}
