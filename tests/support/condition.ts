export { waitUntil } from '#scripts/lab/wait-until.ts'
