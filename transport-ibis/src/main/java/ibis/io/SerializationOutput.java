package ibis.io;

import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;

/** Takes primitives, arrays, strings and object graphs. Not to be shared between threads. */
public interface SerializationOutput extends Closeable, Flushable {

  /** Sets what travels in the place of objects; by default nothing does. */
  void setReplacer(Replacer replacer) throws IOException;

  /** Forgets which objects were written: the same object, written again, is another copy. */
  void reset() throws IOException;

  void writeBoolean(boolean value) throws IOException;

  void writeByte(byte value) throws IOException;

  void writeChar(char value) throws IOException;

  void writeShort(short value) throws IOException;

  void writeInt(int value) throws IOException;

  void writeLong(long value) throws IOException;

  void writeFloat(float value) throws IOException;

  void writeDouble(double value) throws IOException;

  void writeString(String value) throws IOException;

  /** Writes an object graph; sharing and cycles are kept until the next reset. */
  void writeObject(Object value) throws IOException;

  void writeArray(boolean[] value) throws IOException;

  void writeArray(boolean[] value, int offset, int length) throws IOException;

  void writeArray(byte[] value) throws IOException;

  void writeArray(byte[] value, int offset, int length) throws IOException;

  void writeArray(char[] value) throws IOException;

  void writeArray(char[] value, int offset, int length) throws IOException;

  void writeArray(short[] value) throws IOException;

  void writeArray(short[] value, int offset, int length) throws IOException;

  void writeArray(int[] value) throws IOException;

  void writeArray(int[] value, int offset, int length) throws IOException;

  void writeArray(long[] value) throws IOException;

  void writeArray(long[] value, int offset, int length) throws IOException;

  void writeArray(float[] value) throws IOException;

  void writeArray(float[] value, int offset, int length) throws IOException;

  void writeArray(double[] value) throws IOException;

  void writeArray(double[] value, int offset, int length) throws IOException;

  void writeArray(Object[] value) throws IOException;

  void writeArray(Object[] value, int offset, int length) throws IOException;
}
