package ibis.ipl.impl;

import ibis.ipl.internal.base.LocationParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Iterator;

/** A location that a program creates from text or levels. Immutable. */
public final class Location implements ibis.ipl.Location {

  private static final long serialVersionUID = 1L;

  /** Stands between the levels. */
  public static final String SEPARATOR = "@";

  private final ibis.ipl.Location levels;

  /** Creates a location of its levels, the most detailed first. */
  public Location(String[] levels) {
    this(String.join(SEPARATOR, levels));
  }

  /** Parses the text of {@link #toString}; empty levels are ignored. */
  public Location(String text) {
    levels = LocationParser.parse(text);
  }

  /** Reads the bytes of {@link #toBytes}. */
  public Location(byte[] bytes) throws IOException {
    this(bytes, 0, bytes.length);
  }

  /** Reads the bytes of {@link #toBytes}. */
  public Location(byte[] bytes, int offset, int length) throws IOException {
    this(new DataInputStream(new ByteArrayInputStream(bytes, offset, length)));
  }

  /** Reads the output of {@link #writeTo}. */
  public Location(DataInput in) throws IOException {
    this(in.readUTF());
  }

  /** Returns this location as bytes. */
  public byte[] toBytes() {
    var bytes = new ByteArrayOutputStream();
    try {
      writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new IllegalStateException("location '" + this + "' is too long to be written", e);
    }
    return bytes.toByteArray();
  }

  /** Writes this location. */
  public void writeTo(DataOutput out) throws IOException {
    out.writeUTF(toString());
  }

  @Override
  public int numberOfLevels() {
    return levels.numberOfLevels();
  }

  @Override
  public String getLevel(int level) {
    return levels.getLevel(level);
  }

  @Override
  public String[] getLevels() {
    return levels.getLevels();
  }

  @Override
  public int numberOfMatchingLevels(ibis.ipl.Location other) {
    return levels.numberOfMatchingLevels(other);
  }

  @Override
  public ibis.ipl.Location getParent() {
    return levels.getParent();
  }

  @Override
  public Iterator<String> iterator() {
    return levels.iterator();
  }

  @Override
  public int compareTo(ibis.ipl.Location other) {
    return levels.compareTo(other);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ibis.ipl.Location that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  @Override
  public String toString() {
    return levels.toString();
  }
}
