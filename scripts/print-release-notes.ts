import { readFileSync } from 'node:fs'

/**
 * `node scripts/print-release-notes.ts 0.2.0` prints what CHANGELOG.md says of that release, and what docs/operations/upgrades.md
 * says of an upgrade to it.
 */
const version = process.argv[2] ?? ''
const notes = sectionOf('CHANGELOG.md', '## ', version)
if (notes === undefined) {
  console.error(`CHANGELOG.md has no section "## ${version} (date)"`)
  process.exit(1)
}
const upgrade = sectionOf('docs/operations/upgrades.md', '### To ', version)
console.log(notes + (upgrade === undefined ? '' : `\n\n### When you upgrade\n\n${upgrade}`))

/** The text below a heading that begins with the version, up to the next one of the same depth. */
function sectionOf(file: string, heading: string, name: string): string | undefined {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  const sections = text.split(new RegExp(`^${heading}`, 'm')).slice(1)
  const section = sections.find((one) => new RegExp(`^${RegExp.escape(name)}(?=[ \n])`).test(one))
  return section?.slice(section.indexOf('\n')).trim()
}
