package org.troupe.activeobjects.internal.classes;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** Loads the classes and resources of a code source that another node has sent. */
final class CodeSourceLoader extends ClassLoader {

  /*
   * Design: no remote access while the JVM links a class
   *
   * The whole archive has arrived before its first class is loaded. Linking a class may happen on any thread
   * and holds locks of the JVM, so it must not wait for another node. The only exception is a reference to a
   * class of a further source that has not arrived yet.
   */
  static {
    registerAsParallelCapable();
  }

  private final CodeSources.Source source;
  private final boolean isOwn;
  private final byte[] archive; // served to nodes that request it from this one
  private final Map<String, byte[]> entries;
  private final Function<String, Class<?>> others;
  private final ProtectionDomain domain;

  /**
   * Opens an archive.
   *
   * @param isOwn whether it contains the program's own classes rather than those of a library
   * @param others finds classes of other sources
   */
  CodeSourceLoader(
      CodeSources.Source source,
      boolean isOwn,
      byte[] archive,
      ClassLoader parent,
      Function<String, Class<?>> others) {
    super("troupe:" + source.name(), parent);
    this.source = source;
    this.isOwn = isOwn;
    this.archive = archive;
    this.entries = entries(archive);
    this.others = others;
    this.domain =
        new ProtectionDomain(new CodeSource(url(""), (Certificate[]) null), null, this, null);
  }

  private static Map<String, byte[]> entries(byte[] archive) {
    var entries = new HashMap<String, byte[]>();
    try (var zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (!entry.isDirectory()) {
          entries.putIfAbsent(entry.getName(), zip.readAllBytes());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // impossible: the hash has proved the archive complete
    }
    return entries;
  }

  CodeSources.Source source() {
    return source;
  }

  boolean isOwn() {
    return isOwn;
  }

  byte[] archive() {
    return archive;
  }

  boolean has(String className) {
    return entries.containsKey(file(className));
  }

  private static String file(String className) {
    return className.replace('.', '/') + ".class";
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    var bytes = entries.get(file(name));
    if (bytes != null) {
      return defineClass(name, bytes, 0, bytes.length, domain);
    }
    var other = others.apply(name);
    if (other == null) {
      throw new ClassNotFoundException(
          name + " is neither on this node nor on the nodes that sent '" + source.name() + "'");
    }
    return other;
  }

  @Override
  protected @Nullable URL findResource(String name) {
    return entries.containsKey(name) ? url(name) : null;
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    return entries.containsKey(name)
        ? Collections.enumeration(List.of(url(name)))
        : Collections.emptyEnumeration();
  }

  /** Returns {@code troupe:/hash/name!/entry}, which only holders of the URL object can open. */
  private URL url(String entry) {
    try {
      var path = "/" + source.hash() + "/" + source.name() + (entry.isEmpty() ? "" : "!/" + entry);
      return URL.of(new URI("troupe", null, path, null), new Handler(entries.get(entry)));
    } catch (java.net.URISyntaxException | java.net.MalformedURLException e) {
      throw new AssertionError(e);
    }
  }

  private static final class Handler extends URLStreamHandler {
    private final byte @Nullable [] content; // null for the archive itself, which is not a resource

    Handler(byte @Nullable [] content) {
      this.content = content;
    }

    @Override
    protected URLConnection openConnection(URL url) throws IOException {
      if (content == null) {
        throw new IOException(url + " names a code source of another node");
      }
      return new URLConnection(url) {
        @Override
        public void connect() {}

        @Override
        public InputStream getInputStream() {
          return new ByteArrayInputStream(content);
        }

        @Override
        public long getContentLengthLong() {
          return content.length;
        }
      };
    }
  }
}
