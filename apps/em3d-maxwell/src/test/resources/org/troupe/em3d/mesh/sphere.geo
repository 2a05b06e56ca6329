// A sphere of radius 1, conducting, irregular tetrahedra: gmsh -3 -setnumber edge 0.15 sphere.geo -o sphere-0.15.msh
SetFactory("OpenCASCADE");
DefineConstant[ edge = 0.3 ];
Sphere(1) = {0, 0, 0, 1};
Physical Volume("vacuum") = {1};
Physical Surface("pec") = Surface{:};
Mesh.MeshSizeMin = edge;
Mesh.MeshSizeMax = edge;
Mesh.OptimizeThreshold = 0.4;
