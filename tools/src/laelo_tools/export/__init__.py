"""Writes what was played into files for analysts: Parquet or CSV, one file for each set of rows.

`columns` says how a column is made, `sets` which there are, `span` which matches, `source` of
which database, `write` how rows become a file, and `run` does it all in one transaction.
"""
