package org.troupe.transport.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

/** The remote interface that programs without Troupe call. */
public interface Accounts extends Remote {

  void deposit(String owner, long cents) throws RemoteException;

  long balance(String owner) throws RemoteException;

  List<String> owners() throws RemoteException;

  int count(Object anything) throws RemoteException;
}
