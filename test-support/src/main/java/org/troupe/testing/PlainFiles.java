package org.troupe.testing;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The files of this machine, as a JVM sees them on Windows: without permissions of POSIX. Unix
 * domain sockets have no addresses then, since the JDK makes these from its own paths only.
 */
public final class PlainFiles extends FileSystemProvider {

  /** The option of a JVM that sees such files. */
  public static final String JVM_OPTION =
      "-Djava.nio.file.spi.DefaultFileSystemProvider=" + PlainFiles.class.getName();

  private final FileSystemProvider real;
  private final PlainFileSystem files;

  public PlainFiles(FileSystemProvider real) {
    this.real = real;
    files = new PlainFileSystem(real.getFileSystem(URI.create("file:///")));
  }

  private static Path real(Path path) {
    return path instanceof PlainPath plain ? plain.real() : path;
  }

  private Path plain(Path path) {
    return new PlainPath(files, path);
  }

  private static FileAttribute<?>[] basic(FileAttribute<?>... attributes) {
    for (var each : attributes) {
      checkName(each.name());
    }
    return attributes;
  }

  private static void checkName(String attribute) {
    if (attribute.startsWith("posix:") || attribute.startsWith("unix:")) {
      throw new UnsupportedOperationException("'" + attribute + "' is not supported");
    }
  }

  @Override
  public String getScheme() {
    return real.getScheme();
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) throws IOException {
    return real.newFileSystem(uri, environment);
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return files;
  }

  @Override
  public Path getPath(URI uri) {
    return plain(real.getPath(uri));
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return real.newFileChannel(real(path), options, basic(attributes));
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return real.newByteChannel(real(path), options, basic(attributes));
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
    var stream = real.newDirectoryStream(real(folder), each -> filter.accept(plain(each)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return StreamSupport.stream(stream.spliterator(), false)
            .map(PlainFiles.this::plain)
            .iterator();
      }

      @Override
      public void close() throws IOException {
        stream.close();
      }
    };
  }

  @Override
  public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
    real.createDirectory(real(folder), basic(attributes));
  }

  @Override
  public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    real.createSymbolicLink(real(link), real(target), basic(attributes));
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    real.createLink(real(link), real(existing));
  }

  @Override
  public Path readSymbolicLink(Path link) throws IOException {
    return plain(real.readSymbolicLink(real(link)));
  }

  @Override
  public void delete(Path path) throws IOException {
    real.delete(real(path));
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    real.copy(real(source), real(target), options);
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    real.move(real(source), real(target), options);
  }

  @Override
  public boolean isSameFile(Path path, Path other) throws IOException {
    return real.isSameFile(real(path), real(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return real.isHidden(real(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return real.getFileStore(real(path));
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    real.checkAccess(real(path), modes);
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return type == PosixFileAttributeView.class
        ? null
        : real.getFileAttributeView(real(path), type, options);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    if (type == PosixFileAttributes.class) {
      throw new UnsupportedOperationException("files have no permissions of POSIX");
    }
    return real.readAttributes(real(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
      throws IOException {
    checkName(attributes);
    return real.readAttributes(real(path), attributes, options);
  }

  @Override
  public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
      throws IOException {
    checkName(attribute);
    real.setAttribute(real(path), attribute, value, options);
  }

  private final class PlainFileSystem extends FileSystem {

    private final FileSystem all;

    PlainFileSystem(FileSystem all) {
      this.all = all;
    }

    @Override
    public FileSystemProvider provider() {
      return PlainFiles.this;
    }

    @Override
    public void close() throws IOException {
      all.close();
    }

    @Override
    public boolean isOpen() {
      return all.isOpen();
    }

    @Override
    public boolean isReadOnly() {
      return all.isReadOnly();
    }

    @Override
    public String getSeparator() {
      return all.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
      return () ->
          StreamSupport.stream(all.getRootDirectories().spliterator(), false)
              .map(PlainFiles.this::plain)
              .iterator();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
      return all.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
      return Set.of("basic", "owner");
    }

    @Override
    public Path getPath(String first, String... more) {
      return plain(all.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
      var matcher = all.getPathMatcher(pattern);
      return path -> matcher.matches(real(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
      return all.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() throws IOException {
      return all.newWatchService();
    }
  }

  private record PlainPath(PlainFileSystem files, Path real) implements Path {

    private Path plain(Path path) {
      return new PlainPath(files, path);
    }

    private @Nullable Path orNull(@Nullable Path path) {
      return path == null ? null : plain(path);
    }

    @Override
    public FileSystem getFileSystem() {
      return files;
    }

    @Override
    public boolean isAbsolute() {
      return real.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
      return orNull(real.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
      return orNull(real.getFileName());
    }

    @Override
    public @Nullable Path getParent() {
      return orNull(real.getParent());
    }

    @Override
    public int getNameCount() {
      return real.getNameCount();
    }

    @Override
    public Path getName(int index) {
      return plain(real.getName(index));
    }

    @Override
    public Path subpath(int begin, int end) {
      return plain(real.subpath(begin, end));
    }

    @Override
    public boolean startsWith(Path other) {
      return real.startsWith(PlainFiles.real(other));
    }

    @Override
    public boolean endsWith(Path other) {
      return real.endsWith(PlainFiles.real(other));
    }

    @Override
    public Path normalize() {
      return plain(real.normalize());
    }

    @Override
    public Path resolve(Path other) {
      return plain(real.resolve(PlainFiles.real(other)));
    }

    @Override
    public Path relativize(Path other) {
      return plain(real.relativize(PlainFiles.real(other)));
    }

    @Override
    public URI toUri() {
      return real.toUri();
    }

    @Override
    public Path toAbsolutePath() {
      return plain(real.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
      return plain(real.toRealPath(options));
    }

    @Override
    public WatchKey register(
        WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers)
        throws IOException {
      return real.register(watcher, events, modifiers);
    }

    @Override
    public int compareTo(Path other) {
      return real.compareTo(PlainFiles.real(other));
    }

    @Override
    public String toString() {
      return real.toString();
    }
  }
}
