export { file, image, withFiles } from '../http/input/body-files.ts'
