package org.troupe.benchmarks.sides;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** What is called in another JVM, in the same words over every transport and over bare RMI. */
interface RemoteCallee extends Remote {

  /** The null call: no argument, and a result of the smallest kind. */
  int call() throws RemoteException;

  int bytes(byte[] values) throws RemoteException;

  int ints(int[] values) throws RemoteException;

  int floats(float[] values) throws RemoteException;

  int doubles(double[] values) throws RemoteException;

  int tree(BinaryTree tree) throws RemoteException;

  /** Sends it back. */
  double[] pong(double[] values) throws RemoteException;

  /** Returns how many bytes all threads of the JVM have allocated so far. */
  long allocated() throws RemoteException;
}
