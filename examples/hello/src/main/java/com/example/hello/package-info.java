/**
 * A first grid program: active objects that greet and count words on the nodes of a grid.
 *
 * <p>Read {@link com.example.hello.Hello} first: it deploys a grid, creates a {@link
 * com.example.hello.Worker} on each node, and calls them, with and without waiting for the answers.
 * {@link com.example.hello.Count} is a result that a transparent future can stand for.
 */
package com.example.hello;
