// The unit cube, conducting, irregular tetrahedra: gmsh -3 -setnumber edge 0.05 cube.geo -o cube-0.05.msh
SetFactory("OpenCASCADE");
DefineConstant[ edge = 0.1 ];
Box(1) = {0, 0, 0, 1, 1, 1};
Physical Volume("vacuum") = {1};
Physical Surface("pec") = Surface{:};
Mesh.MeshSizeMin = edge;
Mesh.MeshSizeMax = edge;
Mesh.OptimizeThreshold = 0.4;
