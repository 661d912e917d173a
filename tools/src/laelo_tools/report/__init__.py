"""Draws what was played: one page of pictures, made of an export and nothing else.

`queries` ask, `charts` draw, `figures` says which goes with which, `page` sets it all.
"""
