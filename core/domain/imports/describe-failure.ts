const SENTENCES: Readonly<Record<string, string>> = {
  workbook: 'This is a workbook of a spreadsheet program. Save it as CSV (UTF-8) and import that.',
  not_text: 'This is not a text file in the encoding that was found or chosen.',
  empty: 'The file has no rows.',
  no_rows: 'The file has no rows below the names of its columns.',
  no_header:
    'It should name the columns, but holds somebody’s phone number or e-mail address. Choose the row that names them.',
  no_header_row: 'The file ends above the row that was chosen to name the columns.',
  too_many_columns: 'It has more than 300 cells: the most columns that a file can have.',
  too_many_rows: 'The file has more than 1,000,000 rows. Import it in parts.',
  row_too_long: 'A row is longer than 2 MB: a quotation mark in it has probably lost its other half.',
  quote_not_closed: 'A quotation begins and does not end before the file does.',
  refused: 'The database refused what the file holds.',
  ended_worker:
    'It was tried three times and ended the program that worked on it each time. What had become leads stays.',
  client_suspended:
    'The client whom the source names is suspended. What had become leads stays; import the rest when the account is resumed.',
  source_revoked: 'The source was revoked. What had become leads stays.',
}

/**
 * Tells the person who began an import why it failed.
 * @param row the row at fault, if it is a single row
 */
export function describeFailure(code: string, row: number | null): string {
  const sentence = SENTENCES[code] ?? 'The file could not be read.'
  return row === null || code === 'no_header_row' || code === 'not_text'
    ? sentence
    : `Row ${row.toLocaleString('en-US')}: ${sentence}`
}
