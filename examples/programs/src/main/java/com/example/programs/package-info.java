/** Four programs, each in a file of its own that can be copied as a start. */
package com.example.programs;
