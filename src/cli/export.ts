import { type ExportedPerson, listPeopleToExport } from '../people/import/exported-people.sql.ts';
import { csvLine, personMembers } from '../people/import/people-file.ts';
import { atOneMoment } from '../postgres/transaction.ts';
import { command } from './command.ts';
import { writeLines } from './long-output.ts';
import { withSchema } from './with-database.ts';

export const exportUsers = command({
  name: 'user export',
  summary: 'Print all users in the format that user import reads.',
  details: `CSV with a header, or with --json a JSON object in each line.
A name such as =1+1 is a formula for a spreadsheet: --spreadsheet puts an apostrophe before it, with which it is another name for an import.`,
  options: {
    hashes: { type: 'boolean', help: 'with the hashes of the passwords: keep that file secret' },
    spreadsheet: { type: 'boolean', help: 'no cell starts like a formula' },
  },
  async run({ options, isJson, shell }) {
    const members = personMembers.filter((member) => options.hashes || member !== 'password_hash');
    await withSchema(shell, (_, { address }) =>
      atOneMoment(address, async (connection) => {
        const people = listPeopleToExport(connection);
        await writeLines(shell, isJson ? jsonLines(people, members) : csvLines(people, members, options.spreadsheet));
      }),
    );
    return undefined;
  },
});

type Members = readonly (keyof ExportedPerson)[];

async function* jsonLines(people: AsyncIterable<ExportedPerson>, members: Members): AsyncGenerator<string> {
  for await (const person of people) yield JSON.stringify(person, [...members]);
}

async function* csvLines(
  people: AsyncIterable<ExportedPerson>,
  members: Members,
  isForSpreadsheets: boolean,
): AsyncGenerator<string> {
  yield members.join(',');
  for await (const person of people) {
    const cells = members.map((member) => person[member]);
    yield csvLine(cells, isForSpreadsheets);
  }
}
