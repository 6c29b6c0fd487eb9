export { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
