/**
 * Two programs for the Ibis Portability Layer, each started twice: an election gives the two
 * processes their parts.
 *
 * <p>Read {@link com.example.ipl.Hello} first: its receiver asks for one message. The receiver of
 * {@link com.example.ipl.Sum} is called with each message instead.
 */
package com.example.ipl;
