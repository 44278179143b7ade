import '../errors/throwables/boot.ts'
