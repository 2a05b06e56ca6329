package org.troupe.benchmarks.sides;

import java.rmi.Remote;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/** The interface of the called object, the same over every transport and over bare RMI. */
interface RemoteCallee extends Remote {

  /** The null call: no argument and a primitive result. */
  int call() throws RemoteException;

  int bytes(byte[] values) throws RemoteException;

  int ints(int[] values) throws RemoteException;

  int floats(float[] values) throws RemoteException;

  int doubles(double[] values) throws RemoteException;

  int tree(@Nullable BinaryTree tree) throws RemoteException;

  /** Returns its argument. */
  double[] pong(double[] values) throws RemoteException;

  /** Returns the bytes that all threads of the JVM have allocated so far. */
  long allocated() throws RemoteException;
}
