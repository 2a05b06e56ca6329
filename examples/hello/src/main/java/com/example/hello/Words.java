package com.example.hello;

record Words(int words) implements Count {}
