package org.troupe.em3d.mesh;

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;

/**
 * A temporary file with the arrays of a mesh, from which they can be loaded again.
 *
 * <p>The file has no name any more when {@link #of} returns, so it vanishes with this JVM however
 * that ends; where open files cannot be removed, it vanishes when the JVM exits.
 */
final class MeshSpool {

  private static final int BUFFER = 1 << 16; // a multiple of Double.BYTES

  private final RandomAccessFile file;
  private final int vertices;
  private final int cells;
  private final byte[] bytes = new byte[BUFFER];
  private final ByteBuffer buffer = ByteBuffer.wrap(bytes);

  private MeshSpool(RandomAccessFile file, MeshArrays arrays) {
    this.file = file;
    vertices = arrays.coordinates().length / 3;
    cells = arrays.regions().length;
  }

  /**
   * Writes the arrays into a new file in the folder for temporary files.
   *
   * @throws IOException if there is no space for it
   */
  static MeshSpool of(MeshArrays arrays) throws IOException {
    File path = Files.createTempFile("troupe-mesh", ".tmp").toFile();
    RandomAccessFile file;
    try {
      file = new RandomAccessFile(path, "rw");
    } finally {
      if (!path.delete()) {
        path.deleteOnExit();
      }
    }
    MeshSpool spool = new MeshSpool(file, arrays);
    try {
      spool.write(arrays);
    } catch (IOException e) {
      file.close();
      throw e;
    }
    return spool;
  }

  private void write(MeshArrays arrays) throws IOException {
    double[] coordinates = arrays.coordinates();
    for (int from = 0; from < coordinates.length; from += BUFFER / Double.BYTES) {
      int count = Math.min(coordinates.length - from, BUFFER / Double.BYTES);
      buffer.asDoubleBuffer().put(coordinates, from, count);
      file.write(bytes, 0, Double.BYTES * count);
    }
    write(arrays.vertices());
    write(arrays.regions());
    write(arrays.neighbours());
  }

  private void write(int[] numbers) throws IOException {
    for (int from = 0; from < numbers.length; from += BUFFER / Integer.BYTES) {
      int count = Math.min(numbers.length - from, BUFFER / Integer.BYTES);
      buffer.asIntBuffer().put(numbers, from, count);
      file.write(bytes, 0, Integer.BYTES * count);
    }
  }

  /**
   * Reads the arrays.
   *
   * @throws EOFException if another process truncated the file
   */
  MeshArrays load() throws IOException {
    file.seek(0);
    double[] coordinates = new double[3 * vertices];
    for (int from = 0; from < coordinates.length; from += BUFFER / Double.BYTES) {
      int count = Math.min(coordinates.length - from, BUFFER / Double.BYTES);
      file.readFully(bytes, 0, Double.BYTES * count);
      buffer.asDoubleBuffer().get(coordinates, from, count);
    }
    return new MeshArrays(coordinates, read(4 * cells), read(cells), read(4 * cells));
  }

  private int[] read(int length) throws IOException {
    int[] numbers = new int[length];
    for (int from = 0; from < length; from += BUFFER / Integer.BYTES) {
      int count = Math.min(length - from, BUFFER / Integer.BYTES);
      file.readFully(bytes, 0, Integer.BYTES * count);
      buffer.asIntBuffer().get(numbers, from, count);
    }
    return numbers;
  }
}
