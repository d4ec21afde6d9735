#!/bin/bash
# duckdb-nan.sh - DuckDB finds NaN in a Parquet file by `= 'nan'` and `>` only if the file has no statistics.
# SPDX-License-Identifier: MIT
#
# Seen with @duckdb/node-api 1.5.6-r.1 (DuckDB 1.5.6) and hyparquet-writer 0.17.0 from npm, in node 20.
#
# Guess: a condition finds the same rows in a Parquet file as in a table of DuckDB with the same values.
#
# What happens: DuckDB sorts NaN above all numbers, so in a table `a > 20` and `a = 'nan'` find it. Parquet says that the least and
# greatest value of a column leave NaN out, and DuckDB skips a group of rows by them: if no number of the group is over 20, its
# NaN are not found either. isnan(a) finds them. DuckDB's own files have no least and greatest value for a column with NaN.
#
# Why it matters: one looks for NaN in a recording because a client has sent one. Whether `x > 1000` or `x = 'nan'` shows it depends
# on who wrote the file, and on the numbers beside it. Files of `pktc table` have no statistics. Ask isnan(x).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --prefix "$dir" @duckdb/node-api@1.5.6-r.1 hyparquet-writer@0.17.0
cat >"$dir/try.mjs" <<'END'
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetWriteFile } from 'hyparquet-writer';

const data = Array.from({ length: 20 }, (_, i) => i % 5 === 0 ? NaN : i + 0.5);
parquetWriteFile({ filename: 'hyparquet.parquet', columnData: [{ name: 'a', data, type: 'DOUBLE' }] });
const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
await duckdb.run("create table t as select * from 'hyparquet.parquet'");
await duckdb.run("copy t to 'duckdb.parquet'");
for (const condition of ['a > 19', 'a > 20', "a = 'nan'", 'isnan(a)']) {
    const counts = [];
    for (const from of ['t', "'duckdb.parquet'", "'hyparquet.parquet'"])
        counts.push((await duckdb.runAndReadAll(`select count(*) from ${from} where ${condition}`)).getRowsJson()[0][0]);
    console.log(`${condition}: ${counts[0]} rows of the table, ${counts[1]} of DuckDB's file, ${counts[2]} of the other file`);
}
END
cat >"$dir/seen" <<'END'
a > 19: 5 rows of the table, 5 of DuckDB's file, 5 of the other file
a > 20: 4 rows of the table, 4 of DuckDB's file, 0 of the other file
a = 'nan': 4 rows of the table, 4 of DuckDB's file, 0 of the other file
isnan(a): 4 rows of the table, 4 of DuckDB's file, 4 of the other file
END
(cd "$dir" && node try.mjs) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
