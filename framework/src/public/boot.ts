import '../base/debugging/boot.ts'
