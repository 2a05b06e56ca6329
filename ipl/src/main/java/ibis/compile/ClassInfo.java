package ibis.compile;

import java.io.IOException;

/** A class as a bytecode library sees it. */
public interface ClassInfo {

  String getClassName();

  /** Returns the library's own object for the class. */
  Object getClassObject();

  /** Writes the class to a file. */
  void dump(String fileName) throws IOException;

  /** Returns the class in the form of a class file. */
  byte[] getBytes();

  /** Returns whether the class passes the verifier; prints the failures. */
  boolean doVerify();
}
