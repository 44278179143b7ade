import '../base/throwables/boot.ts'
