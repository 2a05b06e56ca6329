/** Objects that outlive faults and moves: four programs, each in a file that can be copied as a start. */
package com.example.lasting;
